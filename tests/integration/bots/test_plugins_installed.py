"""A plug-in game is played by bundled bots at every level, from its source tree as well."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support import small_games
from support.arena_command import ARENA, output, tournament
from support.arena_users import as_user
from support.environments import distribution
from support.needs import working
from support.plugin_projects import Place, install, make_project
from support.ran import PYTHON, ROOT, printed

from arena.isolation.choose import problem_with

pytestmark = pytest.mark.slow

CUP = {"game": "draws", "rounds": 1, "seed": 1}


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder on the disk: tests may lie in /dev, where no bot finds an interpreter."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # root's bots are users of their own
        yield Path(folder).resolve()


def run(place: Place, folder: Path, level: str) -> None:
    """Let two bundled bots, of which one imports the game, play a tournament at a level."""
    tournament(folder, "[greedy, random]", **CUP)
    done = place.arena("run", "cup.yaml", "--sandbox", level, cwd=folder)
    assert done.returncode == 0, done.stderr
    board = json.loads(place.arena("leaderboard", "--json", cwd=folder).stdout)
    assert [(row["games"], row["faults"]) for row in board["rows"]] == [(2, {}), (2, {})], board


def play(place: Place, folder: Path, *options: str) -> None:
    """Let them play one match, to its end by the rules."""
    done = place.arena("play", "draws", "greedy", "random", "--seed", "1", *options, cwd=folder)
    assert "by rules" in done.stdout, f"{done.stdout}{done.stderr}"


def test_editable_game_is_played_in_the_sandbox(tmp_path: Path) -> None:
    """A game that lies in its author's own source tree is played at the strongest level."""
    place = install("editable-hook", make_project(tmp_path / "project"), tmp_path)
    run(place, tmp_path, "auto")
    checked = place.arena("check", "greedy", "draws", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    record = tmp_path / "match.json"
    play(place, tmp_path, "--record", str(record))
    assert place.arena("reproduce", str(record), cwd=tmp_path).returncode == 0


HIDDEN = "import os\nopen(os.path.expanduser({path!r})).close()\n"


def test_run_refuses_before_the_first_match(tmp_path: Path) -> None:
    """A game that needs a file no bot can see is reported at once, with what to do."""
    working("limits")
    if problem_with("bwrap") is not None and problem_with("landlock") is not None:
        pytest.skip("nothing here hides files from bots")
    project = make_project(tmp_path / "project")
    (tmp_path / "words.txt").write_text("pebble\n")
    module = project / "pebble_words.py"
    module.write_text(HIDDEN.format(path=str(tmp_path / "words.txt")))
    place = install("editable-path", project, tmp_path)
    tournament(tmp_path, "[greedy, random]", **CUP)
    done = place.arena("run", "cup.yaml", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert '"draws" of pebble-games 1.0' in done.stderr
    assert "words.txt" in done.stderr
    assert "pip install" in done.stderr
    assert "limits" in done.stderr
    assert "Traceback" not in done.stderr
    assert "no tournament" in place.arena("leaderboard", cwd=tmp_path).stderr
    run(place, tmp_path, "limits")


def test_package_that_init_makes_brings_its_rules(tmp_path: Path) -> None:
    """What ``arena init --game`` writes is a package, and it brings its rules page along."""
    if find_spec("setuptools") is None:
        pytest.skip("setuptools, which builds the package, is not installed")
    output(tmp_path, "init", "--game", "nim", cwd=tmp_path)
    made, built = tmp_path / "nim", tmp_path / "nim" / "built"
    built.mkdir()
    setup = ("-c", "import setuptools; setuptools.setup()", "-q")
    words = ("egg_info", "--egg-base", "built", "build", "--build-lib", "built")
    printed(PYTHON, *setup, *words, cwd=made)

    def shown(*words: str) -> str:
        path = {"PYTHONPATH": f"{built}{os.pathsep}{ROOT}"}
        return printed(*ARENA, *words, cwd=built, env=path)

    assert "Whoever takes the last one wins" in shown("games", "nim")
    assert shown("conformance", "nim") == "nim keeps its promises\n"
    assert "by rules" in shown("play", "nim", "mcts", "greedy", "--seed", "1")


TRY = """
import sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
tempfile.tempdir = sys.argv[1] + "/tmp"  # nothing is left behind
from arena.values.model import Bot
from arena.sandbox import LEVELS
from arena.isolation.choose import problem_with
from arena.bots.imports import imports_for
bot = Bot("oak", 1, "", (sys.executable,), "/")
for level in LEVELS:
    if problem_with(level) is None:
        print(level, [name for name, _ in imports_for(("draws",), [bot], level, Path("/no/home"))])
"""


@pytest.mark.parametrize("user", ["root", "user"])
def test_every_level_and_user_can_import_it(user: str) -> None:
    """A game in a folder of its own is imported at each level, whoever runs the arena."""
    with TemporaryDirectory(prefix="arena-test-plugin-", dir="/tmp") as name:
        folder = Path(name)
        package = folder / "drawing_games"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "rules_of.py").write_text(Path(small_games.__file__).read_text())
        distribution(folder, "drawing-games", games="draws = drawing_games.rules_of:Draws\n")
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        folder.chmod(0o755)
        done = as_user(user, "-c", TRY, name)
        assert done.returncode == 0, done.stderr
        imported = ["drawing_games", "drawing_games-1.0.dist-info"]
        lines = done.stdout.splitlines()
        assert lines
        assert all(line.partition(" ")[2] == str(imported) for line in lines), done.stdout
