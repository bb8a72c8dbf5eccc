"""Locks that end with the process that holds them: one runner a tournament; copies of bots."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.machine.procfs import flock_holders
from arena.machine.untrusted_files import make_private, open_regular
from arena.values.errors import RunnerBusy, StoreError

_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.#")
_COPIES, _TAKING = "copies", "taking"  # no tournament's, since theirs end with .lock
_LONGEST = 200  # a file's name has at most 255 bytes


def lock_path(home: Path, edition: str) -> Path:
    """Return the lock's file: ``locks/<edition>.lock``, with odd characters as ``%<hex>``."""
    name = "".join(c if c in _PLAIN else f"%{ord(c):02x}" for c in edition)
    if len(name) > _LONGEST:
        import hashlib  # which readers do without

        digest = hashlib.sha256(edition.encode()).hexdigest()[:16]
        name = f"{name[:_LONGEST]}-{digest}"
    return home / "locks" / f"{name}.lock"


def runners(home: Path) -> dict[Path, int]:
    """Return the processes that run tournaments of a home, by the files of their locks.

    Those are missing that cannot be seen from here.
    """
    found: dict[Path, int] = {}
    with contextlib.suppress(OSError):
        holders = flock_holders()
        for entry in os.scandir(home / "locks"):
            with contextlib.suppress(OSError):  # it is gone
                holder = holders.get(entry.inode())
                if holder is not None:
                    found[Path(entry.path)] = holder
    return found


@contextmanager
def runner_lock(home: Path, edition: str) -> Iterator[None]:
    """Hold the right to run a tournament, named as ``Edition.label`` does.

    The kernel lets go of it when the process ends, however it ends; the file stays. It is not
    inherited by programs that the process starts.

    Raises:
        RunnerBusy: another runner has it; the message gives its pid.
        StoreError: the lock's file cannot be written.
    """

    def busy(descriptor: int) -> None:
        pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        holder = f"another runner (pid {pid})" if pid.isdigit() else "another runner"
        raise RunnerBusy(
            f'{holder} works on "{edition}": wait until it ends, or stop it with Ctrl-C'
        )

    with _held(lock_path(home, edition), fcntl.LOCK_EX, busy) as descriptor:
        with contextlib.suppress(OSError):  # a disk may be full, and the number only helps people
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield


@contextmanager
def copies_lock(home: Path, *, removing: bool = False) -> Iterator[None]:
    """Keep the copies of bots that are found in a block from being removed until they are entered.

    Any number of runs that begin can hold it at a time. Who removes copies waits for them, and they
    for the removal.

    Args:
        home: the arena's home.
        removing: hold it alone, to remove copies.

    Raises:
        StoreError: the lock's file cannot be written.
    """

    def busy(descriptor: int) -> None:
        import logging  # readers of a store do without

        others = "a run or a submission has its bots ready"
        what = others if removing else "copies of bots are removed"
        logging.getLogger(__name__).warning("waiting until %s", what)

    with _held(home / "locks" / _COPIES, fcntl.LOCK_EX if removing else fcntl.LOCK_SH, busy):
        yield


@contextmanager
def taking_lock(home: Path) -> Iterator[None]:
    """Take and build bots in a block, alone: several processes of a host are sent the same ones.

    Raises:
        StoreError: the lock's file cannot be written.
    """
    with _held(home / "locks" / _TAKING, fcntl.LOCK_EX):
        yield


@contextmanager
def _held(
    path: Path, kind: int, busy: Callable[[int], None] = lambda descriptor: None
) -> Iterator[int]:
    """Hold a lock, and give its file's descriptor; ``busy`` gets it before a wait for others."""
    descriptor = _descriptor(path)
    try:
        try:
            try:
                fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                busy(descriptor)
                fcntl.flock(descriptor, kind)
        except OSError as error:
            raise StoreError(f"cannot lock {path}: {error.strerror}") from error
        yield descriptor
    finally:
        # for children that were forked meanwhile as well, which have it, too
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _descriptor(path: Path) -> int:
    """Return the descriptor of a lock's file, and never of one that a link leads to."""
    try:
        make_private(path.parent)
        folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            # who can open it can lock it, even if only to read
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
            descriptor = open_regular(path.name, flags, folder=folder)
        finally:
            os.close(folder)
        found = os.fstat(descriptor)
        if found.st_nlink > 1 or os.geteuid() not in (0, found.st_uid):
            os.close(descriptor)
            raise PermissionError(0, "it is another file as well, or another user's")
    except OSError as error:
        raise StoreError(
            f"cannot write the lock {path}: {error.strerror}; if it is a link, or nobody knows "
            "what it is, remove it"
        ) from error
    return descriptor
