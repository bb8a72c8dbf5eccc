"""A game in a distribution of its own, installed by pip from its source tree.

The project builds itself: its build backend lies beside it and needs nothing to be fetched.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple

import pytest
from support import small_games as games

ROOT = Path(__file__).parent.parent.parent

PROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""

# an editable install is a line in a .pth file; by a path, or by a finder as setuptools writes it
BACKEND = '''\
import os, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "source")
INFO = "pebble_games-1.0.dist-info"
FILES = {
    f"{INFO}/METADATA": "Metadata-Version: 2.1\\nName: pebble-games\\nVersion: 1.0\\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    f"{INFO}/entry_points.txt": "[engines.games]\\ndraws = pebble_games.rules_of:Draws\\n",
}
FINDER = f"""
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
PLACES = {{
    "pebble_games": {SOURCE + "/pebble_games/__init__.py"!r},
    "pebble_words": {SOURCE + "/pebble_words.py"!r},
}}
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return spec_from_file_location(name, PLACES[name]) if name in PLACES else None
def install():
    sys.meta_path.append(Finder)
"""

def _write(folder, files):
    name = "pebble_games-1.0-py3-none-any.whl"
    files[f"{INFO}/RECORD"] = "".join(f"{path},,\\n" for path in files)
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return name

def build_editable(folder, config_settings=None, metadata_directory=None):
    if os.environ.get("PEBBLES_EDITABLE") == "hook":
        more = {"__pebbles_finder.py": FINDER,
                "__pebbles.pth": "import __pebbles_finder; __pebbles_finder.install()\\n"}
    else:
        more = {"__pebbles.pth": SOURCE + "\\n"}
    return _write(folder, {**FILES, **more})
'''


class Place(NamedTuple):
    """An environment with the arena and the game: its interpreter, and what to set for it."""

    python: Path
    env: dict[str, str]

    def arena(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run ``arena`` there."""
        return subprocess.run(
            [str(self.python), "-m", "arena", *words],
            cwd=cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=110,
        )


def make_project(folder: Path) -> Path:
    """Write the project of a game, with a rules page and a module beside its package."""
    package = folder / "source" / "pebble_games"
    (package / "rules").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "backend.py").write_text(BACKEND)
    (package / "__init__.py").write_text("")
    (package / "rules" / "draws.md").write_text("# Draws\n")
    text = Path(games.__file__).read_text(encoding="utf-8")
    (package / "rules_of.py").write_text(f"{text}\nimport pebble_words\n")
    (folder / "source" / "pebble_words.py").write_text("WORD = 'pebble'\n")
    return folder


def install(way: str, project: Path, folder: Path) -> Place:
    """Make an environment in ``folder``, with the arena, and install a project there.

    ``way``: ``editable-path`` or ``editable-hook``.
    """
    home = folder / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    site = next(home.glob("lib/python3*/site-packages"))
    # the arena and what it needs, which bots do not
    (site / "arena.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    kept = {
        name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "PIP"))
    }
    env = {**kept, "ARENA_HOME": str(folder / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    (folder / "tmp").mkdir()
    env["TMPDIR"] = str(folder / "tmp")  # nothing is left behind
    words = ("install", "-q", "--no-build-isolation", "--no-deps", "--no-index", "-e")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check")
    if subprocess.run([*pip, "--version"], capture_output=True).returncode:
        pytest.skip("pip is not installed, or cannot install into another environment")
    done = subprocess.run(
        [*pip, *words, str(project)],
        env={**kept, "PEBBLES_EDITABLE": way.removeprefix("editable-")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return Place(python, env)
