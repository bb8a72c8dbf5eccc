"""Room in the user's cache: copies that nobody uses make way, the least recently used ones first.

Beside the copies lies a folder with a stamp of each: a file that is nothing but a hole, with a byte
for each KiB of the copy, and with the time of its last use. A file in it has a byte for each copy:
who uses a copy shares the lock of its byte until the process ends, and who removes one holds that
lock alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from arena.machine.run_folder import scratch_folder
from arena.machine.untrusted_files import make_private
from arena.process.folders import disk_bytes, remove_whole, set_aside

MOST_KIB = 2 << 20
_FOLDER, _LOCKS = ".used", "locks"
ROOM = ""  # in place of a copy's name: one process makes room at a time
_FLOCK = struct.Struct("hhqqi4x")  # struct flock: kind, whence, start, length, process


def claim(copy: Path) -> None:
    """Note that a copy is used now, and keep it from being removed until this process ends.

    Only after that it is looked up whether the copy is there.
    """
    used = _used(copy.parent)
    file, names = _own(used)
    _lock(file, copy.name, fcntl.F_RDLCK)
    names.add(copy.name)
    (used / copy.name).touch(mode=0o600)


def release_others(shelf: Path, kept: Iterable[str]) -> None:
    """Let all copies go that this process has claimed in a cache, except some, by their names."""
    file, names = _own(_used(shelf))
    for name in names.difference(kept):
        _lock(file, name, fcntl.F_UNLCK)
        names.discard(name)


def make_room(shelf: Path) -> None:
    """Remove copies that nobody uses until a cache has its size, the least recently used first."""
    used = _used(shelf)
    with scratch_folder(shelf) as scratch, open(_opened(used), "wb") as locks:
        _lock(locks.fileno(), ROOM, fcntl.F_WRLCK)
        copies = sorted(_copies(shelf, used))
        too_much = sum([size for _, size, _ in copies]) - MOST_KIB
        for _, size, name in copies:
            if too_much > 0:
                with contextlib.suppress(OSError):  # it is used, or somebody removed it by hand
                    _lock(locks.fileno(), name, fcntl.F_WRLCK, fcntl.F_OFD_SETLK)
                    set_aside(shelf / name, scratch)
                    os.unlink(used / name)
                    too_much -= size


def drop(copy: Path) -> None:
    """Remove a copy at once, which this process uses no more.

    Raises:
        OSError: another process uses it, or it is not there.
    """
    file, names = _own(_used(copy.parent))
    _lock(file, copy.name, fcntl.F_WRLCK, fcntl.F_OFD_SETLK)
    try:
        remove_whole(copy)
    finally:
        _lock(file, copy.name, fcntl.F_UNLCK)
        names.discard(copy.name)


def _used(shelf: Path) -> Path:
    folder = shelf / _FOLDER
    if not folder.is_dir():
        make_private(folder)
    return folder


def _opened(used: Path) -> int:
    how = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(used / _LOCKS, how, 0o600)


@cache
def _own(used: Path) -> tuple[int, set[str]]:
    """Return the descriptor with the locks of this process, and the names of what it uses."""
    return _opened(used), set()


def _lock(file: int, name: str, kind: int, how: int = fcntl.F_OFD_SETLKW) -> None:
    """Change the lock of a copy; two copies whose names come to one number have one.

    Raises:
        OSError: somebody else has it, if it is not to be waited for.
    """
    place = 0 if name == ROOM else 1 + zlib.crc32(name.encode())
    fcntl.fcntl(file, how, _FLOCK.pack(kind, os.SEEK_SET, place, 1, 0))


def _copies(shelf: Path, used: Path) -> Iterator[tuple[int, int, str]]:
    """Yield when each copy was used last, its size and its name; stamps of others are removed."""
    with os.scandir(used) as entries:
        stamps = {entry.name: entry for entry in entries if entry.name != _LOCKS}
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
