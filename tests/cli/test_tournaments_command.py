"""``arena tournaments``: what is in a home, how far it is, and one of it taken away."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.arena_command import ARENA, ROOT, arena, environment, output, process, submitted
from support.running import Running

from arena.database.checksums import stamp
from arena.database.sqlite import open_database
from arena.store import open_store, runner_lock

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


@pytest.mark.slow
@pytest.mark.parametrize("change", ["seed = 'abc'", "config = 'x'"])
def test_a_damaged_one_keeps_nobody_from_the_others(home: Path, change: str) -> None:
    """It is listed as damaged, refused by a sentence that says what to do, and can be removed."""
    with open_database(home, create=False).writing() as execute:
        execute(f"UPDATE tournament SET {change} WHERE name = 'second'")
    done = arena(home, "tournaments")
    assert done.returncode == 0
    assert "damaged" in done.stdout
    assert "arena tournaments remove second" in done.stderr
    rows = listed(home)
    assert [row["state"] for row in rows.values()] == ["finished", "damaged"]
    for words in (("matches", "second"), ("leaderboard",), ("run", home.parent / "second.yaml")):
        done = arena(home, *words)
        assert (done.returncode, done.stdout) == (3, "")
        assert '"second" is damaged' in done.stderr
        assert "arena tournaments remove" in done.stderr
    assert len(output(home, "matches", "first").splitlines()) == 13
    assert "first" in output(home, "leaderboard", "first", "--json")
    for words in (("leaderboard", "--all"), ("matches", "--all"), ("export", "--all")):
        done = process(home, *words)
        assert done.returncode == 0
        assert "mine" in done.stdout
        assert done.stderr.count("second is damaged, and left out") == 1
    done = arena(home, "verify")
    assert done.returncode == 1
    assert "second: its" in done.stdout
    assert "1 differ" in done.stdout
    output(home, "run", home.parent / "second.yaml", "--new", "--quiet")
    assert "second#2" in listed(home)
    assert "removed second" in output(home, "tournaments", "remove", "second#1", "--yes")
    assert "all right" in output(home, "verify")


def test_editions(home: Path) -> None:
    """A name is its newest edition; the others stay."""
    output(home, "run", home.parent / "second.yaml", "--new", "--quiet")
    assert list(listed(home)) == ["first", "second", "second#2"]
    assert "second#2" in output(home, "tournaments", "remove", "second", "--yes")
    assert list(listed(home)) == ["first", "second"]
    output(home, "run", home.parent / "second.yaml", "--new", "--quiet")
    gone = json.loads(output(home, "tournaments", "remove", "second#1", "--yes", "--json"))
    assert (gone["tournament"], gone["matches"]) == ("second", 6)
    assert list(listed(home)) == ["first", "second#2"]


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "left"), [("n\n", 2), ("\n", 2), ("y\n", 1)])
def test_a_person_is_asked(home: Path, answer: str, left: int) -> None:
    """On a terminal only a yes removes anything; where there is nobody to ask, nobody is."""
    ours, theirs = pty.openpty()
    words = [*ARENA, "tournaments", "remove", "first"]
    process = subprocess.Popen(
        words, cwd=ROOT, env=environment(home), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    assert process.wait(60) == (0 if left == 1 else 1)
    os.close(ours)
    assert len(listed(home)) == left
    output(home, "tournaments", "remove", "second")
    assert "second" not in listed(home)


def test_the_home_of_the_group(tmp_path: Path) -> None:
    """Options of a group hold for its commands: what is named is removed from that home alone."""
    here, there = stored_in(tmp_path / "here"), stored_in(tmp_path / "there")
    said = output(here, "tournaments", "--home", there, "--json", "remove", "stored", "--yes")
    assert json.loads(said)["tournament"] == "stored"
    assert list(listed(here)) == ["stored"]
    assert listed(there) == {}
    output(there, "tournaments", "--home", there, "remove", "--home", here, "stored", "--yes")
    assert listed(here) == {}  # what stands nearest holds


def rewrite(home: Path, table: str, column: str, value: str) -> None:
    """Put something else in all rows of a table, with the hash of what is there then."""
    database = open_database(home, create=False)
    with database.writing() as execute:
        execute(f"UPDATE {table} SET {column} = ?", (value,))
        stamp(execute, table, "true", ())
    database.close()


def stored_in(home: Path, name: str = "stored", config: str = "{}") -> Path:
    """Return a home with a tournament in which nothing was played."""
    with open_store(home, create=True) as store:
        store.tournaments.create(name, "f", config, finished.entrants(["oak", "elm"]))
    return home


@pytest.mark.parametrize(
    "config",
    ["[]", "x", "5", "null", "[" * 100_000],
)
def test_a_config_that_is_none(tmp_path: Path, config: str) -> None:
    """One tournament that cannot be read does not keep the others from being listed."""
    home = stored_in(tmp_path, "odd")
    rewrite(home, "tournament", "config", config)
    stored_in(home, "other", '{"format": "swiss", "games": ["leaves"]}')
    odd, other = listed(home).values()
    assert (odd["format"], odd["games"], odd["of"], odd["bots"]) == ("?", ["?"], None, 2)
    assert (other["format"], other["games"]) == ("swiss", ["leaves"])
    assert "?" in output(home, "tournaments")


def test_damaged_arguments(tmp_path: Path) -> None:
    """An entrant that cannot be read is damage, and no fault of the arena."""
    home = stored_in(tmp_path)
    rewrite(home, "entrant", "args", "x")
    done = arena(home, "tournaments")
    assert done.returncode == 3
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_ladder_that_rests(tmp_path: Path) -> None:
    """It rests from when its last run found no further batch until there is one."""
    config = '{"format": "ladder", "games": ["leaves"], "bots": ["oak", "elm"]}'
    home = stored_in(tmp_path, "climb", config)
    stored_in(tmp_path, "pairs", config.replace("ladder", "swiss"))

    def states(points: str, plan: str | None) -> list[str]:
        with open_store(home, create=False) as store:
            for edition in store.tournaments.all():
                store.rounds.go_on(edition.id, points, plan)
        return [row["state"] for row in listed(home).values()]

    assert states("", "{}") == ["unfinished", "unfinished"]
    assert states("[]", None) == ["resting", "unfinished"]
    assert states("[]", "{}") == ["unfinished", "unfinished"]
    assert states("[]", None) == ["resting", "unfinished"]
    with open_store(home, create=False) as store:
        edition = store.tournaments.find("climb")
        store.matches.give_up(edition.id, "a match", 1, "lost")
    assert listed(home)["climb"]["state"] == "unfinished"  # the same command plays it
    with runner_lock(home, "climb"):
        assert listed(home)["climb"]["state"] == "running"


def test_the_question_is_seen(tmp_path: Path) -> None:
    """A person at the keyboard is asked on stderr, wherever stdout goes."""
    home = stored_in(tmp_path / "home")
    ours, theirs = pty.openpty()
    words = [*ARENA, "tournaments", "remove", "stored"]
    with open(tmp_path / "out", "w") as out:
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment(home), stdin=theirs, stdout=out, stderr=theirs
        )
    os.close(theirs)
    shown = os.read(ours, 1000)
    os.write(ours, b"n\n")
    assert process.wait(60) == 1
    os.close(ours)
    assert b"Remove stored" in shown
    assert list(listed(home)) == ["stored"]


def test_a_narrow_terminal(tmp_path: Path) -> None:
    """Names are cut, so that no line is wider than 80 columns; elsewhere they are whole."""
    names = ["a tournament of many letters", "x" * 40]
    config = {"format": "round-robin", "games": ["arborius", "leaves"], "bots": ["oak", "elm"]}
    for name in names:
        home = stored_in(tmp_path / "home", name, json.dumps(config))
    ours, theirs = pty.openpty()
    words = [*ARENA, "tournaments"]
    env = environment(home) | {"COLUMNS": "80"}
    process = subprocess.Popen(words, cwd=ROOT, env=env, stdout=theirs, stderr=theirs)
    os.close(theirs)
    assert process.wait(60) == 0
    lines = os.read(ours, 10_000).decode().splitlines()
    os.close(ours)
    assert len(lines) == 3
    assert max(map(len, lines)) <= 80
    assert "unfinished" in lines[1]
    assert names[1] in output(home, "tournaments")


def test_a_name_with_an_escape(tmp_path: Path) -> None:
    """A home that somebody else made writes nothing of its own to a terminal."""
    name = "a\x1b]0;owned\x07b"
    home = stored_in(tmp_path, name)
    for words in (("tournaments",), ("tournaments", "remove", name, "--yes")):
        said = output(home, *words)
        assert "owned" in said
        assert "\x1b" not in said
        assert "\x07" not in said
