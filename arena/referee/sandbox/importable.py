"""Where a bot imports ``engines`` from, if it may see nothing that lies beside it.

Python lists every folder that it imports from. The one that holds ``engines`` holds other things,
a whole source tree perhaps. So bots are given a folder that holds a link to it, and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from functools import lru_cache
from pathlib import Path

import engines
from arena.referee.mark import name_part

__all__ = ["engines_alone"]


def engines_alone() -> tuple[str, str]:
    """Return that folder, which is made if it is not there, and where ``engines`` really is.

    The folder stays: it has the same name for everyone who uses the same ``engines``. Anybody can
    guess that name and take it first; then this process makes one that nobody can guess.

    Raises:
        OSError: it cannot be made.
    """
    source = str(Path(engines.__file__).resolve().parent)
    name = hashlib.sha256(os.fsencode(source)).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"arena-engines-{os.geteuid()}-{name}")
    try:
        return _with_link(folder, source), source
    except OSError:  # it may even go away while we look at it
        return _with_link(_secret(tempfile.gettempdir(), os.getpid()), source), source


@lru_cache(maxsize=1)
def _secret(place: str, pid: int) -> str:
    """Return a new folder with our mark in its name, so that it is removed once we are gone."""
    return tempfile.mkdtemp(prefix=f"arena-engines-{name_part()}-", dir=place)


def _with_link(folder: str, source: str) -> str:
    """Return the folder, once it is there, is ours alone and holds the link."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o755)
    state = os.lstat(folder)
    ours = stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid()
    if not ours or state.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to somebody else: have it removed")
    if state.st_mode & 0o055 != 0o055:  # for a umask that hides it from root's bots
        os.chmod(folder, 0o755)
    link = os.path.join(folder, "engines")
    with contextlib.suppress(FileExistsError):
        os.symlink(source, link)
    if os.readlink(link) != source:
        raise PermissionError(f"{folder} belongs to somebody else: have it removed")
    return folder
