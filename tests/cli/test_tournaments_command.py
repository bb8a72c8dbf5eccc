"""``arena tournaments``: what is in a home, how far it is, and one of it taken away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import ROOT, arena, output, submitted
from support.running import Running

from arena.store import open_store

FIRST = """\
name: first
game: leaves
rounds: 2
seed: 7
sandbox: none
workers: 1
bots: [random, {name: path, run: path.py}, mine]
"""
SECOND = FIRST.replace("name: first", "name: second").replace("rounds: 2", "rounds: 1")
RANDOM = (ROOT / "bots/random_python/bot.py").read_text()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two finished tournaments, of which one has two editions."""
    home = tmp_path / "home"
    (tmp_path / "path.py").write_text(f"# from a path\n{RANDOM}")
    (tmp_path / "mine.py").write_text(f"# submitted\n{RANDOM}")
    submitted(home, tmp_path / "mine.py", "mine")
    for name, text in (("first", FIRST), ("second", SECOND)):
        (tmp_path / f"{name}.yaml").write_text(text)
        output(home, "run", tmp_path / f"{name}.yaml", "--quiet")
    return home


def listed(home: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of the list by the names of the tournaments."""
    rows = json.loads(output(home, "tournaments", "--json"))["rows"]
    return {row["tournament"]: row for row in rows}


def copies(home: Path) -> set[str]:
    """Return the copies of bots in a home, as parts of paths."""
    return {
        f"{path.parent.name}/{path.name}"
        for path in home.glob("bots/*/*")
        if path.is_dir() and path.parent.name.startswith("_")
    }


@pytest.mark.slow
def test_a_list(home: Path) -> None:
    """Format, games, bots, matches and state of each, for people and for programs."""
    rows = listed(home)
    assert list(rows) == ["first", "second"]
    first = rows["first"]
    assert (first["state"], first["format"], first["bots"]) == ("finished", "round-robin", 3)
    assert (first["games"], first["matches"], first["of"]) == (["leaves"], 12, 12)
    assert (first["void"], first["undecided"], first["pid"]) == (0, 0, None)
    assert first["created"] <= first["last_run"] < rows["second"]["last_run"] + "~"
    table = output(home, "tournaments")
    assert "12/12" in table
    assert "undecided" not in table
    assert max(map(len, table.splitlines())) <= 80


def test_an_empty_home(tmp_path: Path) -> None:
    """Looking makes nothing; there is nothing to list, and nothing to remove."""
    assert listed(tmp_path / "none") == {}
    assert output(tmp_path / "none", "tournaments") == ""
    assert arena(tmp_path / "none", "tournaments", "remove", "x", "--yes").returncode == 2
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_run_that_is_under_way(tmp_path: Path) -> None:
    """It is running, with its process, and not to be removed; once stopped it is unfinished."""
    home, file = tmp_path / "home", tmp_path / "long.yaml"
    file.write_text("name: long\ngame: leaves\nrounds: 9999\nbots: [random, random@1]\n")
    file.write_text(file.read_text().replace("random@1", "{name: b, bot: random}"))
    run = Running(home, "run", file, "--verbose")
    run.until()
    row = listed(home)["long"]
    assert (row["state"], row["pid"], row["of"]) == ("running", run.process.pid, 19998)
    refused = arena(home, "tournaments", "remove", "long", "--yes")
    assert refused.returncode == 2
    assert str(run.process.pid) in refused.stderr
    run.kill()
    row = listed(home)["long"]
    assert (row["state"], row["pid"]) == ("unfinished", None)
    assert 0 < row["matches"] < row["of"]
    output(home, "tournaments", "remove", "long", "--yes")
    assert listed(home) == {}


@pytest.mark.slow
def test_one_is_removed(home: Path) -> None:
    """Its matches and what nothing else needs are gone; all else is as it was."""
    output(home, "tournaments", "remove", "second", "--yes")
    kept, board = copies(home), output(home, "leaderboard", "first", "--json")
    file = home.parent / "second.yaml"
    (home.parent / "other.py").write_text(f"# of this one only\n{RANDOM}")
    file.write_text(SECOND.replace("path.py", "other.py"))
    output(home, "run", file, "--quiet")
    assert len(copies(home)) == len(kept) + 1
    said = output(home, "tournaments", "remove", "second", "--yes")
    assert "6 matches" in said
    assert "1 copied bot" in said
    assert copies(home) == kept
    assert output(home, "leaderboard", "first", "--json") == board
    assert output(home, "leaderboard", "--json") == board  # it was run last, of those there are
    assert arena(home, "leaderboard", "second").returncode == 2
    output(home, "verify")
    output(home, "tournaments", "remove", "first", "--yes", "--shrink")
    assert len(copies(home)) == 1  # what was submitted, as it was before
    assert "mine" in output(home, "bots")
    output(home, "run", file, "--quiet")
    assert listed(home)["second"]["matches"] == 6


def stored_in(home: Path, name: str = "stored", config: str = "{}") -> Path:
    """Return a home with a tournament in which nothing was played."""
    with open_store(home, create=True) as store:
        store.tournaments.create(name, "f", config, finished.entrants(["oak", "elm"]))
    return home


def test_a_name_with_an_escape(tmp_path: Path) -> None:
    """A home that somebody else made writes nothing of its own to a terminal."""
    name = "a\x1b]0;owned\x07b"
    home = stored_in(tmp_path, name)
    for words in (("tournaments",), ("tournaments", "remove", name, "--yes")):
        said = output(home, *words)
        assert "owned" in said
        assert "\x1b" not in said
        assert "\x07" not in said
