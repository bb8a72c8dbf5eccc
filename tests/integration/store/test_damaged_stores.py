"""A damaged store is said to be damaged: no command shows a record that was altered."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.arena_command import arena, as_json, output, tournament
from support.damaged import Answer, copied, damage, tried
from support.timeless import timeless, without_times

from arena.record.record import without_seed

pytestmark = pytest.mark.slow


def written(folder: Path, rounds: int) -> Path:
    games = {"game": None, "games": '[leaves, "leaves(tree=u)"]', "opening": "{plies: 2}"}
    keys = {"rounds": rounds, "seed": 7, "clock": "{move: 10s, first: 10s}", "sandbox": "none"}
    return tournament(folder, "[random, greedy, random-sh]", **games, **keys)


class Whole(NamedTuple):
    """A home that is all right, the commands to try, and what they answer there."""

    home: Path
    commands: list[list[object]]
    answers: list[Answer]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Return a home in which a tournament was played to its end, and looked at."""
    folder = tmp_path_factory.mktemp("damaged")
    file, home = written(folder, 1), folder / "home"
    output(home, "run", file)
    output(home, "leaderboard", "--crosstable")
    match = as_json(home, "matches")["rows"][5]["id"]
    commands: list[list[object]] = [
        ["leaderboard", "--format", "json"],
        ["leaderboard", "--game", "leaves", "--format", "json"],
        ["leaderboard", "--all", "--format", "json"],
        ["leaderboard", "--crosstable", "--format", "json"],
        ["matches", "--json"],
        ["matches", "--by", "rules", "--json"],
        ["show", match, "--json"],
        ["bots", "--json"],
        ["export"],
        ["verify"],
        ["run", file],
        ["export", "cup"],
    ]
    answers = tried(home, commands)
    assert [answer.code for answer in answers] == [0] * len(commands)
    return Whole(home, commands, answers)


def wrongs(whole: Whole, home: Path) -> Iterator[str]:
    """Yield what commands do wrong in a home: records are as they were, or there is a sentence."""
    found = tried(home, whole.commands)
    for command, answer, good in zip(whole.commands, found, whole.answers, strict=True):
        said = f"{command}: exit {answer.code}, stderr {answer.err[-600:]!r}"
        if "Traceback" in answer.err or "fault of the arena itself" in answer.err:
            yield said
        elif answer.code == 0 and command[0] == "export":
            if not {*answer.out.splitlines()} <= {*good.out.splitlines()}:
                yield f"{said}: altered output: {answer.out[:300]!r}"
        elif answer.code == 0 and command[0] == "show":
            if without_seed(answer.out) != without_seed(good.out):  # hidden if the end is unknown
                yield f"{said}: altered output: {answer.out[:300]!r}"
        elif command == ["verify"] and answer.code == 1:
            if not re.search(r"^([0-9a-f]{16}|number .*|arena\.db): ", answer.out, re.MULTILINE):
                yield f"{said}: nothing named: {answer.out!r}"
        elif answer.code not in (0, 3):
            yield said


@pytest.mark.timeout(600)
def test_damage_is_said(whole: Whole, tmp_path: Path) -> None:
    """Flipped bits, overwritten bytes, lost ends: the right answer, or a sentence and exit 3."""
    content = (whole.home / "arena.db").read_bytes()
    wrong = []
    for seed in range(16):
        altered, how = damage(content, random.Random(seed))
        home = copied(whole.home, tmp_path / str(seed), altered)
        wrong += [f"seed {seed} ({how}): {line}" for line in wrongs(whole, home)]
    assert not wrong, "\n".join([f"{len(wrong)}", *wrong[:20]])


def test_going_on_with_a_damaged_store(whole: Whole, tmp_path: Path) -> None:
    """More is played into a damaged store only where that does no harm, or it is said."""
    file = written(tmp_path, 2)
    content = (whole.home / "arena.db").read_bytes()
    good = copied(whole.home, tmp_path / "good", content)
    output(good, "run", file, "--extend")
    expected = timeless(good)
    for seed in range(6):
        altered, how = damage(content, random.Random(seed))
        home = copied(whole.home, tmp_path / str(seed), altered)
        done = arena(home, "run", file, "--extend")
        said = f"seed {seed} ({how}): exit {done.returncode}, {done.stderr[-600:]}"
        assert done.returncode in (0, 3), said
        assert "Traceback" not in done.stderr, said
        export = arena(home, "export")
        assert export.returncode in (0, 3), said
        if done.returncode == export.returncode == 0:
            assert [without_times(line) for line in export.stdout.splitlines()] == expected, said
