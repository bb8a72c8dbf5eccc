"""Versions of bots: retired, resubmitted and taken out, in tournaments under way and ladders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import as_json, messages, output, refused
from support.ash_homes import board, course, submit_bot

pytestmark = pytest.mark.slow


def rows(home: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of the table, by their bots."""
    return {row["bot"]: row for row in board(home)["rows"]}


def games(home: Path) -> dict[str, int]:
    """Return the bots in the table with their games."""
    return {bot: row["games"] for bot, row in rows(home).items()}


def out(home: Path) -> list[str]:
    return [row["bot"] for row in board(home).get("out", [])]


def matches(home: Path) -> Any:
    return as_json(home, "matches")["rows"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a home in which s00, s01 and random have played once."""
    folder = tmp_path_factory.mktemp("course")
    home = folder / "home"
    for name in ("s00", "s01"):
        submit_bot(home, name)
    output(home, "run", course(folder, "[s00, s01, random]"), "--workers", 2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder to change."""
    shutil.copytree(played, tmp_path / "course")
    return tmp_path / "course"


def test_resubmission_changes_only_a_line(copy: Path) -> None:
    """A newer version changes nothing but a line that says how to enter it."""
    home, file = copy / "home", copy / "course.yaml"
    before = matches(home)
    submit_bot(home, "s00", "better")
    newer = (
        "arena: s00@2 is newer than s00@1, which plays here; to enter it in place of it: "
        "--upgrade s00; beside the old one: in a file {name: s00-2, bot: s00@2} and --extend"
    )
    assert messages(home, "run", file).splitlines().count(newer) == 1
    assert matches(home) == before
    course(copy, "[s00, s01, random, {name: s00-2, bot: s00@2}]")
    done = refused(home, "run", file)
    assert "there is more to play since" in done
    assert "bots: + s00-2" in done
    assert "is newer than" not in messages(home, "run", file, "--extend")
    assert games(home) == {"s00": 6, "s01": 6, "random": 6, "s00-2": 6}


def test_bot_taken_out_can_be_put_back(copy: Path) -> None:
    """A bot in ``without`` leaves the table and the schedule, and comes back without the key."""
    home, file = copy / "home", copy / "course.yaml"
    course(copy, "[s00, s01, random]", rounds=2, without="[s01]")
    done = output(home, "run", file, "--extend")
    assert games(home) == {"s00": 4, "random": 4}
    assert out(home) == ["s01"]
    assert "s01 was taken out by the organiser; none of its matches count" in done
    rows = matches(home)
    assert [row["counted"] for row in rows] == ["s01" not in row["bots"] for row in rows]
    assert sum(not row["counted"] for row in rows) == 4, "those of the first round stay"
    assert len(output(home, "export").splitlines()) == 4
    course(copy, "[s00, s01, random]", rounds=2)
    output(home, "run", file)
    assert games(home) == {"s00": 8, "s01": 8, "random": 8}
    assert out(home) == []


def test_patterns_mean_the_same_bots_for_good(copy: Path) -> None:
    """A pattern and ``all`` mean submitted bots; newcomers are named, and entered with --extend."""
    home = copy / "home"
    for bots, name in (('["s*", random]', "pattern"), ("all", "all")):
        output(home, "run", course(copy, bots, name=name))
        assert set(games(home)) - {"random"} == {"s00", "s01"}
        assert ("random" in games(home)) == (name == "pattern")
    submit_bot(home, "s02")
    submit_bot(home, "t00")
    output(home, "bots", "retire", "s00")
    for name, new in (("pattern", "s02"), ("all", "s02, t00")):
        done = messages(home, "run", copy / f"{name}.yaml")
        assert f"also means {new}, submitted since" in done
        assert "s02" not in games(home)
        output(home, "run", copy / f"{name}.yaml", "--extend")
        assert set(games(home)) - {"random"} == {"s00", "s01", *new.split(", ")}
    file = course(copy, '["x*", random]', name="none")
    assert 'none.yaml:7:8: bots[0]: no submitted bot fits "x*"' in refused(home, "run", file)


# a ladder over a term: bots are submitted again, and it is run again, stopped and gone on with


def test_newer_version_in_ladder_replaces_old_one(tmp_path: Path) -> None:
    """A newer version enters a ladder as a new entrant, and the old one keeps its row."""
    home, bots = tmp_path / "home", "[s00, {name: tree, bot: s01}, random]"
    file = course(tmp_path, bots, name="term", format="ladder")
    for name in ("s00", "s01"):
        submit_bot(home, name)
    assert "the ladder rests" in messages(home, "run", file)
    before, old = matches(home), rows(home)["tree"]
    submit_bot(home, "s01", "better")
    assert "tree@2 plays from now on" in messages(home, "run", file)
    found = rows(home)
    assert {(name, row["version"], row["replaced_by"]) for name, row in found.items()} == {
        ("s00", 1, ""),
        ("random", 1, ""),
        ("tree", 1, "tree@2"),
        ("tree@2", 2, ""),
    }
    assert found["tree"]["games"] == old["games"]
    assert found["tree@2"]["games"] >= 2
    after = matches(home)
    assert after[: len(before)] == before
    assert all("tree" not in row["bots"] for row in after[len(before) :])
    assert "replaced by" in output(home, "leaderboard")
    # nothing else is new, so nothing else is played, and everything can be verified and repeated
    assert "plays from now on" not in messages(home, "run", file)
    assert matches(home) == after
    assert output(home, "verify").endswith("all right\n")
    assert output(home, "verify", "--ratings").endswith("all right\n")
    newest = next(row["id"] for row in after if "tree@2" in row["bots"])
    assert output(home, "reproduce", newest).startswith("identical")
    exported = [json.loads(line) for line in output(home, "export").splitlines()]
    versions = {(p["bot"], p["version"]) for one in exported for p in one["players"]}
    assert ("tree", 1) in versions
    assert ("tree@2", 2) in versions
