"""Folders that an untrusted bot filled: walked, measured and taken away.

``os.walk`` calls itself for each level, and sees nothing that lies deeper than a path may be long.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from arena.machine.crash import cross
from arena.machine.removal import remove_folder
from arena.machine.run_folder import scratch_folder

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


def set_aside(folder: Path, scratch: Path) -> Path:
    """Move a folder into one of ours, so that nobody finds it any more; return where it is then.

    Raises:
        FileNotFoundError: somebody else was first.
    """
    aside = scratch / folder.name
    os.rename(folder, aside)
    cross("aside")
    return aside


def remove_whole(folder: Path) -> None:
    """Remove a folder so that others see all of it or nothing; errors as for ``set_aside``."""
    with scratch_folder(folder.parent) as scratch:
        remove_folder(str(set_aside(folder, scratch)))


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
