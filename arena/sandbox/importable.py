"""Where a bot imports ``engines`` and plug-in games from, if it may see nothing beside them.

Python lists every folder that it imports from. The one that holds ``engines`` holds other things,
a whole source tree perhaps. So bots are given a folder that holds links, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import shutil
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

    Each process has its own, which goes with it.

    Args:
        imports: what it links to, besides ``engines``.

    Raises:
        OSError: it cannot be made.
    """
    links = (engines_import(), *imports)
    folder = _made(tempfile.gettempdir(), os.getpid(), links)
    return _with_links(folder, links), tuple(link.path for link in links)


@lru_cache(maxsize=8)
def _made(place: str, pid: int, links: tuple[Import, ...]) -> str:
    """Return a new folder, removed at our end; by the mark in its name, if we are killed."""
    from multiprocessing.util import Finalize  # it runs at the end of workers as well

    folder = tempfile.mkdtemp(prefix=f"arena-engines-{name_part()}-", dir=place)
    Finalize(None, shutil.rmtree, (folder,), {"ignore_errors": True}, exitpriority=0)
    return folder


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
