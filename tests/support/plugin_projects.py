"""A game in a distribution of its own, installed as pip installs it from its source tree."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path
from typing import NamedTuple

from support import small_games as games
from support.environments import PYTHON, distribution, venv
from support.ran import ROOT, ran

# an editable install is a line in a .pth file; by a path, or by a finder as setuptools writes it
FINDER = """\
import sys
from importlib.util import spec_from_file_location

PLACES = {{
    "pebble_games": "{0}/pebble_games/__init__.py",
    "pebble_words": "{0}/pebble_words.py",
}}

class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return spec_from_file_location(name, PLACES[name]) if name in PLACES else None

def install():
    sys.meta_path.append(Finder)
"""


class Place(NamedTuple):
    """An environment with the arena and the game: its interpreter, and what to set for it."""

    python: Path
    env: dict[str, str]

    def arena(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run ``arena`` there."""
        return ran(self.python, "-m", "arena", *words, cwd=cwd, env=self.env)


def make_project(folder: Path) -> Path:
    """Write the source tree of a game, with a rules page and a module beside its package."""
    package = folder / "pebble_games"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules" / "draws.md").write_text("# Draws\n")
    text = Path(games.__file__).read_text(encoding="utf-8")
    (package / "rules_of.py").write_text(f"{text}\nimport pebble_words\n")
    (folder / "pebble_words.py").write_text("WORD = 'pebble'\n")
    return folder


def install(way: str, project: Path, folder: Path) -> Place:
    """Make an environment in ``folder``, with the arena, and install a project there.

    ``way``: ``editable-path`` or ``editable-hook``.
    """
    home = venv(folder / "venv")
    (site,) = home.glob("lib/python3*/site-packages")
    # the arena and what it needs, which bots do not
    (site / "arena.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    files = {"__pebbles.pth": f"{project}\n"}
    if way == "editable-hook":
        files["__pebbles_finder.py"] = FINDER.format(project)
        files["__pebbles.pth"] = "import __pebbles_finder; __pebbles_finder.install()\n"
    for name, text in files.items():
        (site / name).write_text(text)
    info = distribution(site, "pebble-games", games="draws = pebble_games.rules_of:Draws\n")
    (info / "RECORD").write_text(
        "".join(f"{name},,\n" for name in (*files, f"{info.name}/METADATA"))
    )
    (folder / "tmp").mkdir()  # nothing is left behind
    env = {"ARENA_HOME": str(folder / "home"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    return Place(home / PYTHON, {**env, "TMPDIR": str(folder / "tmp")})
