"""``arena run --part I/N``: what is refused, what is said, and what a part leaves to others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.arena_command import arena, output

FILE = """\
name: shared
game: leaves
rounds: 3
sandbox: none
seed: 2026
max_faults: 2
bots: [random, {name: other, bot: random}, {name: third, bot: random}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "shared.yaml"
    file.write_text(FILE)
    return file


def played(home: Path) -> set[str]:
    rows = json.loads(output(home, "matches", "--json"))["rows"]
    return {row["id"] for row in rows}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *(("2/1", None), ("3/2", None), ("0/2", "1/2"), ("1-2", "1/2"), ("2 of 3", "2/3")),
        (" 1/2", "1/2"),
        *(("01/02", "1/2"), ("3", "1/3"), ("1/2/3", None), ("half", None), ("1/20000", None)),
    ],
)
def test_a_part_that_there_is_not(file: Path, text: str, meant: str | None) -> None:
    """Exit 2, with what was expected, what was found, and what was perhaps meant."""
    done = arena(file.parent / "home", "run", file, "--part", text)
    assert done.returncode == 2
    assert "I/N" in done.stderr
    assert text in done.stderr
    found = re.search('did you mean "(.*)"', done.stderr)
    assert (found and found[1]) == meant


@pytest.mark.slow
def test_two_parts_in_one_home(file: Path) -> None:
    """A part leaves the tournament unfinished; the other one, or a run without, finishes it."""
    home = file.parent / "home"
    dry = json.loads(output(home, "run", file, "--part", "1/2", "--dry-run", "--json"))
    assert (dry["matches"], dry["blocks"], dry["part"]) == (18, 9, "1/2")
    first = arena(home, "run", file, "--part", "1/2", "--verbose")
    assert first.returncode == 0, first.stderr
    one = played(home)
    # nine blocks of two matches
    assert len(one) == dry["left"]
    assert len(one) in (8, 10)
    assert f"{len(one)}/{len(one)} " in first.stderr  # progress is that of the part
    assert f"part 1/2 is complete; {len(one)} of the tournament's 18" in first.stderr
    assert "not over" in first.stdout
    assert "not over" in output(home, "leaderboard")
    assert json.loads(output(home, "leaderboard", "--json"))["unfinished"] is True
    (row,) = json.loads(output(home, "tournaments", "--json"))["rows"]
    assert (row["state"], row["matches"], row["of"]) == ("unfinished", len(one), 18)
    again = arena(home, "run", file, "--part", "1/2", "--verbose")
    assert (again.returncode, played(home)) == (0, one)
    dry = json.loads(output(home, "run", file, "--part", "1/2", "--dry-run", "--json"))
    assert (dry["matches"], dry["played"], dry["left"]) == (18, len(one), 0)

    second = arena(home, "run", file, "--part", "2/2")
    assert second.returncode == 0
    assert "part" not in second.stderr
    assert "not over" not in second.stdout
    assert len(played(home)) == 18
    assert one < played(home)
    (row,) = json.loads(output(home, "tournaments", "--json"))["rows"]
    assert row["state"] == "finished"
    # the same as of the whole
    whole = file.parent / "whole"
    assert arena(whole, "run", file).stdout == second.stdout
