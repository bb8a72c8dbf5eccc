"""What a user who owns nothing can reach and read of this machine's files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import PurePath

__all__ = ["open_to_all", "power_to_read"]

_DAC_READ_SEARCH = 1 << 2  # linux/capability.h


def power_to_read(paths: Iterable[str]) -> int:
    """Return the capability, as a bit, without which root's bots cannot read all of these; or 0.

    It opens everything else to them as well, and so they have it only where root keeps to himself
    what they need.
    """
    return 0 if open_to_all(paths) else _DAC_READ_SEARCH


def open_to_all(paths: Iterable[str]) -> bool:
    """Return whether a user who owns nothing can read all of these, as far as modes tell.

    Of a folder, its own mode is looked at and that of each above it; not what lies in it.
    """
    return all(_is_open(os.path.realpath(path)) for path in paths)


def _is_open(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
        wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        if mode & wanted != wanted:
            return False
        return all(os.stat(above).st_mode & stat.S_IXOTH for above in PurePath(path).parents)
    except OSError:
        return False
