"""A command imports what it needs: looking at a table starts no machinery for playing matches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.arena_command import tournament
from support.ran import PYTHON, printed, ran

pytestmark = pytest.mark.slow

# what only a file to be judged, a match to be played, or a mistake needs, each of it 2 to 60 ms
PLAYING = {
    "arena.values.model",
    "arena.run.runner",
    "arena.workers",
    "arena.session",
    "arena.process",
}
DEAR = {"pydantic", "yaml", "multiprocessing", "secrets", "subprocess", "difflib", "random"}
HEAVY = PLAYING | DEAR | {"engines", "trueskill", "tqdm", "tempfile"}
NAMED = """
import sys
from arena.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert end.code == 0, end.code
print(*sys.modules, file=sys.stderr)
"""
# says of each start of the process that forks the workers what was imported by then
STARTED = """
import sys
from arena.cli.main import main
from arena.workers import fork_server
start = fork_server.start_fork_server
def start_and_say():
    late = {"arena.run.runner", "pydantic", "yaml"} & set(sys.modules)
    print("late" if late else "early", file=sys.stderr)
    start()
fork_server.start_fork_server = start_and_say
main(sys.argv[1:])
"""


def imported(words: Sequence[str]) -> set[str]:
    """Return the modules that a process has after a command."""
    done = ran(PYTHON, "-c", NAMED, *words)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def test_workers_are_forked_by_a_process_that_imports_early(file: Path, tmp_path: Path) -> None:
    """It is started before the file is read, and imports no more than workers need."""
    done = ran(PYTHON, "-c", STARTED, "--home", tmp_path / "home", "run", file)
    assert done.returncode == 0, done.stderr
    said = [word for word in done.stderr.split() if word in ("early", "late")]
    assert said == ["early", "late"]
    code = (
        "import sys, importlib; [*map(importlib.import_module, sys.argv[1:])]; print(*sys.modules)"
    )
    modules = printed(PYTHON, "-c", code).split()
    rest = {
        "arena.run.runner",
        "arena.workers.local",
        "arena.tournament.parse",
        "arena.bots",
        "click",
    }
    assert set(modules) & (rest | {"pydantic", "yaml", "tqdm", "trueskill"}) == set()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a short tournament."""
    folder = tmp_path_factory.mktemp("light")
    keys = {"seed": 1, "sandbox": "none", "opening": "{plies: 2}"}
    return tournament(folder, "[random, random@1]", **keys)


@pytest.fixture(scope="module")
def home(file: Path) -> Path:
    """Return a home with a tournament that has been looked at."""
    home = file.parent / "home"
    printed(PYTHON, "-m", "arena", "--home", home, "run", file)
    return home


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"]], ids=" ".join)
def test_help_imports_no_machinery(words: Sequence[str]) -> None:
    """Help comes without the rooms that do the work, and without the store."""
    assert imported(words) & (HEAVY | {"sqlite3", "hashlib"}) == set()


@pytest.mark.parametrize(
    "words", [["leaderboard"], ["leaderboard", "--json"], ["leaderboard", "--format", "csv"]]
)
def test_a_leaderboard_imports_no_machinery(home: Path, words: Sequence[str]) -> None:
    """A table that was kept is read and shown by the store, the table and its text."""
    found = imported(["--home", str(home), *words])
    assert "sqlite3" in found
    assert found & (HEAVY | {"logging"}) == set()


NO_EXTRA = """
import sys
sys.modules.update(dict.fromkeys(["distributed", "dask", "cryptography", "tornado", "msgpack"]))
from arena.cli import main
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        ["run", "FILE", "--cluster", "local:2"],
        ["run", "FILE", "--cluster", "tcp://127.0.0.1:9"],
        ["cluster", "scheduler", "tcp://127.0.0.1:9"],
        ["cluster", "worker", "tcp://127.0.0.1:9"],
        ["cluster", "certificates", "DIR"],
        ["doctor", "--cluster", "tcp://127.0.0.1:9"],
    ],
    ids=" ".join,
)
def test_without_the_extra_a_cluster_is_refused_with_what_to_install(
    words: list[str], file: Path, tmp_path: Path
) -> None:
    """None of its packages need be here, and a sentence says so instead of a traceback."""
    places = {"FILE": str(file), "DIR": str(tmp_path / "lab")}
    words = ["--home", str(tmp_path / "home"), *(places.get(word, word) for word in words)]
    done = ran(PYTHON, "-c", NO_EXTRA, *words)
    assert done.returncode == 2, done.stderr
    assert all(
        words in done.stderr for words in ('pip install "tree-arena[cluster]"', '".[cluster]"')
    )
    assert "Traceback" not in done.stderr
