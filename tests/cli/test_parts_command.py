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


def test_the_last_part_is_named(file: Path) -> None:
    """How many parts there are is not guessed: each machine must say the same."""
    done = arena(file.parent / "home", "run", file, "--part", "3/2")
    assert "2/2" in done.stderr
    assert "2/3" not in done.stderr


def test_a_seed_is_proposed(file: Path) -> None:
    """Without a seed in the file: exit 2, and a line with another seed of 128 bits each time."""
    proposed = set()
    for text in (FILE.replace("seed: 2026\n", ""), FILE.replace("2026", "secret")):
        file.write_text(text)
        for _ in range(4):
            done = arena(file.parent / "home", "run", file, "--part", "1/2")
            assert done.returncode == 2
            found = re.search(r"seed: (\d+)", done.stderr)
            assert found is not None
            proposed.add(int(found[1]))
    assert len(proposed) == 8
    assert 2**120 < max(proposed) < 2**128
    assert not (file.parent / "home").exists()
    file.write_text(f"{text.replace('secret', str(max(proposed)))}")
    assert arena(file.parent / "home", "run", file, "--part", "1/2", "--dry-run").returncode == 0


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("format: swiss", "results"),
        ("format: knockout\nrounds:", "results"),
        ("format: ladder", "results"),
        ("format: compare", "comparison"),
        ("stop: {sprt: {}}", "comparison"),
    ],
)
def test_formats_without_parts(file: Path, lines: str, reason: str) -> None:
    """Where results decide what is played, no machine could know its part."""
    text = FILE.replace(", {name: third, bot: random}", "")
    file.write_text(text.replace("rounds: 3", lines.replace("rounds:", "")) + "\n")
    done = arena(file.parent / "home", "run", file, "--part", "1/2")
    assert done.returncode == 2
    assert "--part" in done.stderr
    assert reason in done.stderr
    assert "round-robin" in done.stderr
    assert "gauntlet" in done.stderr


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


@pytest.mark.slow
def test_what_does_not_start_is_named(file: Path) -> None:
    """A part suspends nobody by its own matches, but says who does not start, and what to do."""
    home = file.parent / "home"
    (file.parent / "third.py").write_text("raise SystemExit(1)")
    file.write_text(FILE.replace("bot: random}]", "run: third.py}]"))
    done = arena(home, "run", file, "--part", "2/3")
    assert done.returncode == 0
    assert "third failed to start" in done.stderr
    assert "without: [third]" in done.stderr


@pytest.mark.slow
def test_what_is_added_to_a_part(file: Path) -> None:
    """More rounds may be added to a part; more bots only where all parts are together."""
    home = file.parent / "home"
    assert arena(home, "run", file, "--part", "1/2").returncode == 0
    one = played(home)
    more = FILE.replace("rounds: 3", "rounds: 5")
    file.write_text(more)
    done = arena(home, "run", file, "--part", "1/2", "--extend")
    assert done.returncode == 0, done.stderr
    assert one < played(home)
    file.write_text(more.replace("]", ", {name: late, bot: random}]"))
    done = arena(home, "run", file, "--part", "1/2", "--extend")
    assert done.returncode == 2
    assert "arena import" in done.stderr
    file.write_text(more)
    assert arena(home, "run", file).returncode == 0
    file.write_text(more.replace("]", ", {name: late, bot: random}]"))
    assert arena(home, "run", file, "--part", "1/2", "--extend").returncode == 0
