"""``arena run --dry-run``: what a run would do, and nothing of it is done."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import ROOT, as_json, messages, output, refused, submitted, tournament
from support.needs import working
from support.sql import TABLES, sql

from arena.isolation import choose
from arena.run import dry_run, preparation
from arena.sandbox import LevelProblem

pytestmark = pytest.mark.slow

KEYS = {"name": "plan", "rounds": 2, "workers": 2, "sandbox": "none"}
BOTS = "[random, {name: path, run: path.py}, mine]"
RANDOM = (ROOT / "bots/random_python/bot.py").read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a tournament of a bundled bot, a submitted one, and one from a path."""
    (tmp_path / "path.py").write_text(f"# from a path\n{RANDOM}")
    (tmp_path / "mine.py").write_text(f"# submitted\n{RANDOM}")
    submitted(tmp_path / "home", tmp_path / "mine.py", "mine")
    return tournament(tmp_path, BOTS, **KEYS)


@pytest.fixture
def home(file: Path) -> Iterator[Path]:
    """Return the home in which mine was submitted; nothing temporary may be left at the end."""
    yield file.parent / "home"
    assert list(Path(tempfile.gettempdir()).glob(f"arena-dry-run-{os.getpid()}.*")) == []


def plan(home: Path, file: Path, *args: object) -> dict[str, Any]:
    """Return what a run would do."""
    found: dict[str, Any] = as_json(home, "run", file, "--dry-run", *args)
    return found


def kept(home: Path) -> list[object]:
    """Return all that is in a home: rows of the store, and the files beside it."""
    found: list[object] = [
        sorted(
            str(path.relative_to(home)) for path in home.rglob("*") if "arena.db" not in path.name
        )
    ]
    return found + [(name, sql(home, f"SELECT * FROM {name}")) for (name,) in sql(home, TABLES)]


def test_dry_run_shows_plan(home: Path, file: Path) -> None:
    """``run --dry-run`` shows matches, pairings, bots, isolation and time; it keeps nothing."""
    before = kept(home)
    found = plan(home, file)
    assert kept(home) == before
    assert (found["tournament"], found["begins"]) == ("plan", True)
    # three bots, so three pairs, which meet on two deals, from both sides
    assert (found["pairings"], found["blocks"], found["matches"]) == (3, 6, 12)
    assert (found["played"], found["left"], found["most"], found["pid"]) == (0, 12, None, None)
    assert (found["sandbox"], found["workers"], found["secret"]) == ("none", 2, True)
    bots = {bot["name"]: (bot["bot"], bot["version"], bot["origin"]) for bot in found["bots"]}
    assert bots["random"] == ("random", 1, "bundled")
    assert bots["mine"] == ("mine", 1, "submitted")
    assert bots["path"][1:] == (0, "file")
    assert 0 < found["tried"] <= dry_run.SAMPLE
    assert found["left_s"] == pytest.approx(12 * found["match_s"] / 2)


def test_dry_run_breaks_no_name(home: Path, file: Path) -> None:
    """A dry run does not break a line within a name, so that the name can be copied."""
    names = [f"karl-heinz-mueller-{number}" for number in range(10)]
    entrants = ", ".join(f"{{name: {name}, bot: random}}" for name in names)
    tournament(file.parent, f"[{entrants}]", **KEYS)
    shown = output(home, "run", file, "--dry-run")
    assert [name for name in names if name not in shown] == []


def test_dry_run_names_failing_bots(home: Path, file: Path) -> None:
    """A bot that fails is named with its fault and ``arena check``, exit code 1."""
    (file.parent / "the dead.py").write_text("import nonsense_that_is_not_here\n")
    dead = '{name: dead, run: "the dead.py", args: [-v, "a b"]}'
    tournament(file.parent, BOTS.replace("mine", dead), **KEYS | {"rounds": 1})
    before = kept(home)
    (failed,) = as_json(home, "run", file, "--dry-run", code=1)["failed"]
    assert kept(home) == before
    assert (failed["name"], failed["code"], failed["matches"]) == ("dead", "startup", 4)
    assert "nonsense_that_is_not_here" in failed["detail"]
    assert "time" in output(home, "run", file, "--dry-run", code=1)
    stderr = messages(home, "run", file, "--dry-run", code=1)
    (said,) = [line for line in stderr.splitlines() if "dead failed" in line]
    assert "4 of 6" in said
    assert "nonsense_that_is_not_here" in said
    words = shlex.split(failed["check"])
    assert words[:2] == ["arena", "check"]
    assert shlex.split(words[2]) == [str(file.parent / "the dead.py"), "-v", "a b"]
    assert "nonsense_that_is_not_here" in output(home, *words[1:], "--sandbox", "none", code=1)


def test_dry_run_of_begun_tournament_counts_played_matches(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dry run counts what was played, tries what is left, and needs ``--extend`` for more."""
    monkeypatch.setattr(dry_run, "PLACES", 1)
    tournament(file.parent, BOTS, **KEYS | {"rounds": 1})
    output(home, "run", file, "--quiet")
    found = plan(home, file)
    assert (found["begins"], found["played"], found["left"]) == (False, 6, 0)
    assert (found["tried"], found["left_s"]) == (0, 0)
    tournament(file.parent, BOTS, **KEYS)
    before = kept(home)
    assert "--extend" in refused(home, "run", file, "--dry-run")
    found = plan(home, file, "--extend")
    assert (found["begins"], found["matches"], found["played"]) == (False, 12, 6)
    assert (found["left"], found["tried"]) == (6, 1)
    tournament(file.parent, BOTS, **KEYS, without="[random]")
    shown = output(home, "run", file, "--dry-run", "--extend")
    assert "4 matches of entrants who are out" in shown
    tournament(file.parent, BOTS, **KEYS)
    found = plan(home, file, "--new")
    assert (found["begins"], found["tournament"], found["left"]) == (True, "plan#2", 12)
    tournament(file.parent, BOTS, **KEYS, clock="{move: 7s}")
    assert "--new" in refused(home, "run", file, "--dry-run")
    assert kept(home) == before


def test_dry_run_of_comparison_shows_most_matches(home: Path, file: Path) -> None:
    """A dry run of a comparison with ``sprt`` says how many matches it has at most."""
    more = {"format": "compare", "rounds": 40, "stop": "{sprt: {elo0: 0, elo1: 400}}"}
    tournament(file.parent, BOTS.replace(", mine", ""), **KEYS | more)
    found = plan(home, file)
    assert (found["matches"], found["most"], found["left_s"]) == (80, 80, None)
    assert "at most 80, of 1 pairing in 40 blocks" in output(home, "run", file, "--dry-run")


@pytest.mark.parametrize(
    ("game", "bot", "sandbox", "warned"),
    [
        ("the_tree", "path", "auto", True),
        ("the_tree", "random", "auto", False),
        ("the_tree", "path", "landlock", False),
        ("leaves", "path", "auto", False),
    ],
)
def test_dry_run_warns_of_notes_about_hidden_hands(
    game: str, bot: str, sandbox: str, warned: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dry run warns once where ``auto`` takes landlock and bots could note a hand."""
    working("landlock")
    monkeypatch.setitem(choose._known, "bwrap", LevelProblem("no bwrap here", "install it"))
    monkeypatch.setattr(preparation, "showing_reads", lambda: ["/usr", "/opt/venv"])
    line = "{name: path, run: path.py}" if bot == "path" else bot
    tournament(file.parent, f"[greedy, {line}]", name="plan", game=game, sandbox=sandbox)
    done = messages(file.parent / "home", "run", file, "--dry-run")
    assert done.count("below /usr /opt/venv") == warned
    assert (f'"path" can note down what {game} hides' in done) == warned
