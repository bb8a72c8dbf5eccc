"""The folder of a run, by which later runs find what a process that was killed has left behind.

Each process that runs matches makes a folder with a lock file. The kernel releases the lock when
the process ends, even if it is killed. The file contains a random key. The environment of every
bot and the name of every control group contain a word derived from the key. Whoever can read the
key can tell which bots and groups belong to it; without the key a word looks like random digits.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.machine.removal import remove_folder

if TYPE_CHECKING:
    from multiprocessing.util import Finalize

VARIABLE = "ARENA_RUN"  # in which every bot finds its word
PREFIX = ".arena-run-"
LOCK = "lock"
KEY_BYTES = 32
DRAWN_BYTES = TAG_BYTES = 4

_WORD = re.compile(r"[0-9a-f]{16}")


class _OwnFolder(NamedTuple):
    """A folder of ours, its key, and the descriptor of its lock."""

    folder: str
    key: bytes
    lock: int


def own_folder(place: str | None = None) -> str:
    """Return this process's folder, made if it is not there; it is removed when the process ends.

    Others can pass it, as root's bots must, and not list it.

    Args:
        place: where it lies, if not in the usual place for temporary files.
    """
    return _own_run(place)[0].folder


def new_word() -> str:
    """Return a word of 16 random hexadecimal digits that this process's folder knows."""
    drawn = os.urandom(DRAWN_BYTES)
    return (drawn + _tag(_own_run()[0].key, drawn)).hex()


def is_word_of(keys: Iterable[bytes], text: str) -> bool:
    """Return whether a text is a word that was made with one of some keys."""
    if not _WORD.fullmatch(text):
        return False
    word = bytes.fromhex(text)
    return any(_tag(key, word[:DRAWN_BYTES]) == word[DRAWN_BYTES:] for key in keys)


def leave_folder() -> None:
    """Leave this process's folder behind when it ends: something with a word of it is still there.

    The parent process or the next run then ends the processes and removes the folder.
    """
    _own_run()[1].cancel()


@contextlib.contextmanager
def scratch_folder(place: Path) -> Iterator[Path]:
    """Give a folder of this process's in a place, removed after the block; by others if we die."""
    run = _made(str(place))
    try:
        yield Path(run.folder)
    finally:
        _remove(run)


@contextlib.contextmanager
def dead_runs(places: Iterable[str | Path]) -> Iterator[dict[str, bytes]]:
    """Give the folders of this user's dead runs in some places, each with its key.

    Nobody else takes them during the block. A folder whose key was not written has none.
    """
    found: dict[str, bytes] = {}
    with contextlib.ExitStack() as locks:
        for folder in (folder for place in {*places} for folder in _folders(place)):
            with contextlib.suppress(OSError):  # its run lives, or it is gone already
                lock = _locked(folder)
                locks.callback(os.close, lock)
                found[folder] = os.read(lock, KEY_BYTES)
        yield found


def _folders(place: str | Path) -> list[str]:
    """Return this user's folders of runs in a place; links are not followed."""
    found = []
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in (entry for entry in entries if entry.name.startswith(PREFIX)):
            with contextlib.suppress(OSError):  # it is gone already
                state = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid():
                    found.append(entry.path)
    return found


def _locked(folder: str) -> int:
    """Return the descriptor of a run's lock, which is ours until it is closed.

    Raises:
        OSError: another process has it, or there is no such folder.
    """
    how = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    lock = os.open(os.path.join(folder, LOCK), how, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.fstat(lock).st_nlink:  # it was removed before we had it
            raise FileNotFoundError(folder)
    except OSError:
        os.close(lock)
        raise
    return lock


def _made(place: str) -> _OwnFolder:
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX, dir=place)
        with contextlib.suppress(
            FileNotFoundError, BlockingIOError
        ):  # as dead, before it is locked
            lock = _locked(folder)
            break
    key = os.urandom(KEY_BYTES)
    os.write(lock, key)
    os.chmod(folder, 0o711)
    return _OwnFolder(folder, key, lock)


def _remove(run: _OwnFolder) -> None:
    with contextlib.suppress(OSError):
        remove_folder(run.folder)
    os.close(run.lock)


def _own_run(place: str | None = None) -> tuple[_OwnFolder, Finalize]:
    at = os.getpid(), place or tempfile.gettempdir()
    if not os.fstat(_own(*at)[0].lock).st_nlink:  # something cleans up among temporary files
        _own.cache_clear()
    return _own(*at)


@cache
def _own(pid: int, place: str) -> tuple[_OwnFolder, Finalize]:  # a forked child has its own
    from multiprocessing.util import Finalize  # it runs at the end of workers as well

    run = _made(place)
    return run, Finalize(None, _remove, (run,), exitpriority=-200)  # after all that is in it


def _tag(key: bytes, drawn: bytes) -> bytes:
    return hashlib.blake2b(drawn, key=key, digest_size=TAG_BYTES).digest()
