"""The folder in which bots are built and from which they play: this user's alone.

It is no part of a home. A home may come from somebody else, and programs that its maker built, or
bytecode, would run as this user.
"""

from __future__ import annotations

import logging
import os
import secrets
import stat
import tempfile
from functools import lru_cache
from pathlib import Path

from arena.machine.run_folder import own_folder
from arena.machine.untrusted_files import make_private

NAME = "tree-arena"
OF_ROOT = "/var/cache"  # root's bots run as other users, who can read nothing in /root
_SECRET = "copies-"


def cache_place() -> Path:
    """Return where it should lie: in ``$XDG_CACHE_HOME``, else in ``~/.cache`` (``OF_ROOT``)."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named, NAME)
    usual = os.path.join(os.path.expanduser("~"), ".cache")
    return Path(OF_ROOT if os.geteuid() == 0 else usual, NAME)


def cache_folder() -> Path:
    """Return the folder, made if it is not there: absolute, without links.

    Where there can be none, or it is not this user's alone, this process has a temporary one, which
    goes when the process ends.
    """
    place = cache_place()
    try:
        return _ready(_private(place))
    except OSError as error:
        return _temporary(os.getpid(), str(place), error.strerror or str(error))


def find_caches() -> tuple[Path, ...]:
    """Return the folders that ``cache_folder`` has made and that are there."""
    place = cache_place()
    return (place,) if os.geteuid() else tuple(place.glob(f"{_SECRET}*"))


def _private(place: Path) -> Path:
    me = os.geteuid()
    # the owner of a folder can replace all that lies in it, also what belongs to others
    above = next(folder for folder in place.parents if folder.exists())
    if above.stat().st_uid not in (0, me):
        raise PermissionError(0, f"{above} belongs to another user")
    make_private(place)
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionError(0, "it is no folder")
    if found.st_uid != me or found.st_mode & (0o077 if me else 0o066):
        raise PermissionError(0, "others may use it, or it is another user's (chmod 700)")
    if not os.access(place, os.W_OK):
        raise PermissionError(0, "it cannot be written")
    return Path(os.path.realpath(place))


def _ready(place: Path) -> Path:
    """Return where in a private folder the copies lie.

    Root's bots must get to theirs. So others may pass root's folder, but not list it, and copies
    lie in one whose name nobody can guess.
    """
    if os.geteuid():
        return place
    os.chmod(place, 0o711)
    found = sorted(place.glob(f"{_SECRET}*"))  # two who were first at once made one each
    folder = found[0] if found else place / f"{_SECRET}{secrets.token_hex(16)}"
    folder.mkdir(exist_ok=True)
    os.chmod(folder, 0o711)
    return folder


@lru_cache(maxsize=1)
def _temporary(pid: int, place: str, reason: str) -> Path:  # a forked child has one of its own
    logging.getLogger(__name__).warning(
        "%s cannot be used: %s; bots are built in a temporary folder, each time", place, reason
    )
    folder = tempfile.mkdtemp(prefix="cache-", dir=own_folder())
    return _ready(Path(os.path.realpath(folder)))
