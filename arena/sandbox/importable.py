"""Where a bot imports ``engines`` and plug-in games from, if it may see nothing beside them.

Python lists every folder that it imports from. The one that holds ``engines`` holds other things,
a whole source tree perhaps. So bots are given a folder that holds links, and nothing else.
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
from arena.model import Import
from arena.owner import name_part

__all__ = ["engines_import", "import_folder"]


@lru_cache(maxsize=1)
def engines_import() -> Import:
    """Return the package ``engines``, and where it really is."""
    return Import("engines", str(Path(engines.__file__).resolve().parent))


def import_folder(imports: tuple[Import, ...] = ()) -> tuple[str, tuple[str, ...]]:
    """Return that folder, which is made if it is not there, and where its links lead.

    The folder stays: it has the same name for everyone who links to the same things. Anybody can
    guess that name and take it first; then this process makes one that nobody can guess.

    Args:
        imports: what it links to, besides ``engines``.

    Raises:
        OSError: it cannot be made.
    """
    links = (engines_import(), *imports)
    sources = tuple(link.path for link in links)
    text = "\0".join(word for link in links for word in link)
    name = hashlib.sha256(os.fsencode(text)).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"arena-engines-{os.geteuid()}-{name}")
    try:
        return _with_links(folder, links), sources
    except OSError:  # it may even go away while we look at it
        return _with_links(_secret(tempfile.gettempdir(), os.getpid(), name), links), sources


@lru_cache(maxsize=8)
def _secret(place: str, pid: int, name: str) -> str:
    """Return a new folder with our mark in its name, so that it is removed once we are gone."""
    return tempfile.mkdtemp(prefix=f"arena-engines-{name_part()}-", dir=place)


def _with_links(folder: str, links: tuple[Import, ...]) -> str:
    """Return the folder, once it is there, is ours alone and holds the links."""
    _make_open(folder)
    for link in links:
        path = folder
        *parents, name = link.name.split("/")
        for parent in parents:  # packages without a file of their own, shared with others
            path = os.path.join(path, parent)
            _make_open(path)
        path = os.path.join(path, name)
        with contextlib.suppress(FileExistsError):
            os.symlink(link.path, path)
        if os.readlink(path) != link.path:
            raise PermissionError(f"{folder} belongs to somebody else: have it removed")
    return folder


def _make_open(folder: str) -> None:
    """Make a folder that is ours and that everybody may read, if it is not there."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o755)
    state = os.lstat(folder)
    ours = stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid()
    if not ours or state.st_mode & 0o022:
        raise PermissionError(f"{folder} belongs to somebody else: have it removed")
    if state.st_mode & 0o055 != 0o055:  # for a umask that hides it from root's bots
        os.chmod(folder, 0o755)
