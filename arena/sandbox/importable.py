"""Where a bot imports ``engines`` and plug-in games from, if it may see nothing beside them.

Python lists every folder that it imports from. The one that holds ``engines`` holds other things,
a whole source tree perhaps. So bots are given a folder that holds links, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from functools import lru_cache
from pathlib import Path

import engines
from arena.machine.run_folder import own_folder
from arena.values.model import Import

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
    folder = _made(own_folder(), links)
    if not _is_ours(folder):  # something cleans up among temporary files
        _made.cache_clear()
        folder = _made(own_folder(), links)
    return folder, tuple(link.path for link in links)


def _is_ours(folder: str) -> bool:
    """Return whether a folder is still there, and no other process has made it since."""
    try:
        state = os.lstat(folder)
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid()


@lru_cache(maxsize=8)
def _made(place: str, links: tuple[Import, ...]) -> str:
    folder = tempfile.mkdtemp(prefix="engines-", dir=place)
    os.chmod(folder, 0o755)  # root's bots are users of their own
    for link in links:
        path = folder
        *parents, name = link.name.split("/")
        for parent in parents:  # packages without a file of their own, shared with others
            path = os.path.join(path, parent)
            with contextlib.suppress(FileExistsError):
                os.mkdir(path)
                os.chmod(path, 0o755)  # whatever the umask
        os.symlink(link.path, os.path.join(path, name))
    return folder
