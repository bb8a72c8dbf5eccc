"""Where a bot imports ``engines`` and plug-in games from, if it may see nothing beside them.

Python lists every folder that it imports from. The one that holds ``engines`` holds other things,
a whole source tree perhaps. So bots are given a folder that holds links, and nothing else. It is a
virtual environment without packages, too: a bot that runs on arena's own interpreter is started by
a link to that in it, and so does not see what is installed beside the arena.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import engines
from arena.machine.run_folder import own_folder
from arena.sandbox.visible import base_python, plain_path
from arena.values.model import Import

SETTINGS = "pyvenv.cfg"  # makes a folder a virtual environment
_PYTHON = "bin/python3"
_OWN = plain_path(sys.executable)


@lru_cache(maxsize=1)
def engines_import() -> Import:
    """Return the package ``engines``, and where it really is."""
    return Import("engines", str(Path(engines.__file__).resolve().parent))


def on_bare_python(argv: tuple[str, ...], folder: str) -> tuple[str, ...]:
    """Return an argument vector with the Python of an import folder for arena's own."""
    if argv[0] != _OWN and plain_path(argv[0]) != _OWN:
        return argv
    return (f"{folder}/{_PYTHON}", *argv[1:])


def import_folder(imports: tuple[Import, ...] = ()) -> tuple[str, tuple[str, ...]]:
    """Return that folder, which is made if it is not there, and where its links lead.

    Each process has its own, which goes with it.

    Args:
        imports: what it links to, besides ``engines``.

    Raises:
        OSError: it cannot be made.
    """
    links = (engines_import(), *imports)
    return _made(own_folder(), links), tuple(link.path for link in links)


@lru_cache(maxsize=8)
def _made(place: str, links: tuple[Import, ...]) -> str:
    folder = tempfile.mkdtemp(prefix="engines-", dir=place)
    os.chmod(folder, 0o755)  # root's bots are users of their own
    settings = os.path.join(folder, SETTINGS)
    with open(settings, "x") as file:
        file.write(f"home = {os.path.dirname(base_python())}\n")
        file.write("include-system-site-packages = false\n")
    os.chmod(settings, 0o644)
    for link in (Import(_PYTHON, base_python()), *links):
        path = folder
        *parents, name = link.name.split("/")
        for parent in parents:  # packages without a file of their own, shared with others
            path = os.path.join(path, parent)
            with contextlib.suppress(FileExistsError):
                os.mkdir(path)
                os.chmod(path, 0o755)  # whatever the umask
        os.symlink(link.path, os.path.join(path, name))
    return folder
