"""Folders that an untrusted bot filled: walked and removed, however deep and closed they are.

``os.walk`` and ``shutil.rmtree`` call themselves for each level, and see nothing that lies deeper
than a path may be long. A program makes such a folder in a millisecond.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from arena.machine.crash import cross
from arena.machine.owner import name_part

__all__ = [
    "MAX_DEPTH",
    "disk_bytes",
    "entries_below",
    "hide_reads",
    "lies_within",
    "remove_folder",
    "remove_whole",
    "set_aside",
    "shows_reads",
]

MAX_DEPTH = 64  # folders in folders: more than anybody needs, and far fewer than a path can name
FAR_NS = 4_102_444_800 * 10**9  # 2100-01-01; a file system that ends before takes its last date
DAY_NS = 86_400 * 10**9


def entries_below(folder: str) -> Iterator[tuple[os.DirEntry[str], int]]:
    """Yield all that lies in a folder, each with the number of folders it lies in.

    Links are not followed, and what lies deeper than ``MAX_DEPTH`` is not looked into.

    Raises:
        OSError: a folder below cannot be read.
    """
    left = [(folder, 1)]
    while left:
        place, depth = left.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    yield entry, depth
                    if depth <= MAX_DEPTH and entry.is_dir(follow_symlinks=False):
                        left.append((entry.path, depth + 1))
        except (FileNotFoundError, NotADirectoryError):
            continue  # gone meanwhile, or something else by now


def remove_folder(folder: str) -> None:
    """Remove a folder and all that lies in it; links are never followed.

    Folders within folders are moved up, so that no path gets longer than two names.

    Raises:
        OSError: something of it cannot be removed.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        while names := os.listdir(top):
            for name in names:
                if _is_folder(name, top):
                    _empty(name, top)
                    os.rmdir(name, dir_fd=top)
                else:
                    os.unlink(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(folder)


def set_aside(folder: Path) -> Path:
    """Take a folder's name away, so that nobody finds it any more; return what is to be removed.

    If that is not done, what dead runs left behind is removed at the next start.

    Raises:
        FileNotFoundError: somebody else was first.
    """
    aside = folder.with_name(f".removing-{name_part()}-{folder.name[:12]}")
    os.rename(folder, aside)
    cross("aside")
    return aside


def remove_whole(folder: Path) -> None:
    """Remove a folder so that others see all of it or nothing; errors as for ``set_aside``."""
    remove_folder(str(set_aside(folder)))


def disk_bytes(folder: Path) -> int:
    """Return how much of a disk a folder takes, with all that lies in it.

    Raises:
        OSError: a folder below cannot be read.
    """
    size = 0
    for entry, _ in entries_below(str(folder)):
        with contextlib.suppress(FileNotFoundError):
            size += entry.stat(follow_symlinks=False).st_blocks * 512
    return size


def hide_reads(path: str, changed_ns: int) -> None:
    """Give a file, folder or link itself a time of access that reading does not change.

    As disks are mounted (``relatime``), a read changes that time where it is a day old, or not
    newer than the last change of the file. So it is far ahead, and the change is not: a build may
    have put that anywhere. Whatever changes the mode comes before.

    Args:
        path: what it is.
        changed_ns: when its content was changed last, as it says itself.
    """
    with contextlib.suppress(OSError):  # not every disk has such times: `shows_reads` says so
        os.utime(path, ns=(FAR_NS, min(changed_ns, time.time_ns())), follow_symlinks=False)


def shows_reads(folder: Path) -> bool:
    """Return whether ``hide_reads`` has had no effect on a folder, or on something in it.

    Raises:
        OSError: a folder below cannot be read.
    """
    far = time.time_ns() + DAY_NS
    if os.stat(folder).st_atime_ns < far:
        return True
    below = entries_below(str(folder))
    return any(entry.stat(follow_symlinks=False).st_atime_ns < far for entry, _ in below)


def lies_within(folder: Path, home: Path) -> bool:
    """Return whether a folder lies below another where its path says, and not through a link."""
    if not folder.is_relative_to(home):
        return False
    real = os.path.join(os.path.realpath(home), folder.relative_to(home))
    return os.path.realpath(folder) == real


def _empty(name: str, top: int) -> None:
    """Remove the files of a folder that lies in another, and move its folders there."""
    _open_up(name, top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if _is_folder(entry, inner):
                _open_up(entry, inner)  # only one that is open can be moved
                os.rename(entry, uuid.uuid4().hex, src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=inner)
    finally:
        os.close(inner)


def _open_up(name: str, within: int) -> None:
    """Let the owner of a folder into it: the owner may have closed it.

    The bot that filled it may still run, and put a link in its place: no name is looked up twice.
    """
    folder = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
    try:
        with contextlib.suppress(PermissionError):
            os.chmod(f"/proc/self/fd/{folder}", 0o700)
    finally:
        os.close(folder)


def _is_folder(name: str, within: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode)
