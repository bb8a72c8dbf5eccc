"""The folder in which bots are built and from which they play: this user's own, and nobody else's.

It is no part of a home. A home may come from somebody else, and programs that its maker built, or
bytecode, would run as this user.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import stat
import tempfile
from functools import lru_cache
from pathlib import Path

from arena.files import make_private
from arena.owner import name_part
from arena.process.folders import remove_folder

__all__ = ["cache_folder", "cache_place"]

NAME = "tree-arena"


def cache_place() -> Path:
    """Return where the folder should lie: in ``$XDG_CACHE_HOME``, else in ``~/.cache``."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    above = named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), ".cache")
    return Path(above, NAME)


def cache_folder() -> Path:
    """Return the folder, made if it is not there: absolute, without links.

    Where there can be none, or it is not this user's alone, this process has a temporary one, which
    goes when the process ends.
    """
    place = cache_place()
    try:
        return _private(place)
    except OSError as error:
        return _temporary(os.getpid(), str(place), error.strerror or str(error))


def _private(place: Path) -> Path:
    me = os.geteuid()
    # who owns a folder can replace what lies in it, whoever that belongs to
    above = next(folder for folder in place.parents if folder.exists())
    if above.stat().st_uid not in (0, me):
        raise PermissionError(0, f"{above} belongs to another user")
    make_private(place)
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError(0, "it is no folder")
    if found.st_uid != me or found.st_mode & 0o077:
        raise PermissionError(0, "others may use it, or it is another user's (chmod 700)")
    if not os.access(place, os.W_OK):
        raise PermissionError(0, "it cannot be written")
    return Path(os.path.realpath(place))


@lru_cache(maxsize=1)
def _temporary(pid: int, place: str, reason: str) -> Path:  # a forked child has one of its own
    import logging  # which takes 4 ms

    logging.getLogger(__name__).warning(
        "%s cannot be used: %s; bots are built in a temporary folder, each time", place, reason
    )
    folder = tempfile.mkdtemp(prefix=f"arena-cache-{name_part()}-")
    atexit.register(_remove, folder, pid)
    return Path(os.path.realpath(folder))


def _remove(folder: str, pid: int) -> None:
    if os.getpid() == pid:
        with contextlib.suppress(OSError):
            remove_folder(folder)
