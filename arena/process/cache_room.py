"""Room in the user's cache: copies that nobody uses make way, the least recently used ones first.

Beside the copies lies a folder with a stamp of each: a file that is nothing but a hole, with a byte
for each KiB of the copy, and with the time of its last use. What a process uses is in a list of its
own, which is locked until the process ends. A name is added to a list while the lock of all is
shared, and copies are removed while it is held alone: a copy whose name is in a list stays.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from arena.machine.run_folder import scratch_folder
from arena.machine.untrusted_files import make_private
from arena.process.folders import disk_bytes, set_aside

__all__ = ["claim", "make_room", "release_others"]

MOST_KIB = 2 << 20
_FOLDER, _LIST, _LOCK = ".used", "list-", "lock"


class _List(NamedTuple):
    """What this process uses: an open file with the names, a line each, and the names."""

    file: int
    names: set[str]


def claim(copy: Path) -> None:
    """Note that a copy is used now, and keep it from being removed until this process ends.

    Only after that it is looked up whether the copy is there.
    """
    used = _used(copy.parent)
    with _locked(used, fcntl.LOCK_SH):
        file, names = _own(used)
        if copy.name not in names:
            os.write(file, f"{copy.name}\n".encode())
            names.add(copy.name)
        (used / copy.name).touch(mode=0o600)


def release_others(shelf: Path, kept: Iterable[str]) -> None:
    """Let all copies go that this process has claimed in a cache, except some, by their names."""
    used = _used(shelf)
    with _locked(used, fcntl.LOCK_SH):
        file, names = _own(used)
        names.intersection_update(kept)
        os.ftruncate(file, 0)
        os.write(file, "".join([f"{name}\n" for name in names]).encode())


def make_room(shelf: Path) -> None:
    """Remove copies that nobody uses until a cache has its size, the least recently used first."""
    used = _used(shelf)
    with scratch_folder(shelf) as scratch, _locked(used, fcntl.LOCK_EX):
        copies = sorted(_copies(shelf, used))
        too_much = sum([size for _, size, _ in copies]) - MOST_KIB
        in_use = _in_use(used)
        for _, size, name in copies:
            if too_much > 0 and name not in in_use:
                with contextlib.suppress(OSError):  # such as: somebody removed it by hand
                    set_aside(shelf / name, scratch)
                    os.unlink(used / name)
                    too_much -= size


def _used(shelf: Path) -> Path:
    folder = shelf / _FOLDER
    if not folder.is_dir():
        make_private(folder)
    return folder


@contextlib.contextmanager
def _locked(used: Path, kind: int) -> Iterator[None]:
    descriptor = os.open(used / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, kind)
        yield
    finally:
        with contextlib.suppress(OSError):  # for a child that was forked meanwhile, too
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


@cache
def _own(used: Path) -> _List:
    """Return the list of this process, made now, while the lock of all is held."""
    descriptor, path = tempfile.mkstemp(prefix=_LIST, dir=used)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    atexit.register(_unlink, path, os.getpid())
    return _List(descriptor, set())


def _unlink(path: str, pid: int) -> None:
    if os.getpid() == pid:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _in_use(used: Path) -> set[str]:
    """Return the names in the lists of processes that live; the lists of others are removed."""
    names: set[str] = set()
    for path in used.glob(f"{_LIST}*"):
        with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                names.update(file.read().split())
            else:
                path.unlink(missing_ok=True)
    return names


def _copies(shelf: Path, used: Path) -> Iterator[tuple[int, int, str]]:
    """Yield when each copy was used last, its size and its name; stamps of others are removed."""
    with os.scandir(used) as entries:
        stamps = {entry.name: entry for entry in entries if not entry.name.startswith(_LIST)}
    del stamps[_LOCK]
    with os.scandir(shelf) as entries:
        for entry in entries:
            if entry.name.startswith(".") or not entry.is_dir(follow_symlinks=False):
                continue
            stamp = stamps.pop(entry.name, None)
            last, size = (
                (0, 0) if stamp is None else (stamp.stat().st_mtime_ns, stamp.stat().st_size)
            )
            if not size:  # it was not measured yet
                last = last or entry.stat().st_mtime_ns
                size = 1 + (disk_bytes(shelf / entry.name) >> 10)
                _write_stamp(used / entry.name, last, size)
            yield last, size, entry.name
    for name in stamps:
        os.unlink(used / name)


def _write_stamp(path: Path, last: int, size: int) -> None:
    with contextlib.suppress(OSError):  # the disk may be full, which is a reason to go on
        path.touch(mode=0o600)
        os.truncate(path, size)
        os.utime(path, ns=(last, last))
