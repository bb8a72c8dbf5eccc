"""Machines without a network: each plays a part in a home of its own, and bundles bring them
together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, output
from support.running import Running

from arena.match.record import without_times

FILE = """\
name: shared
games: [leaves, "leaves(tree=u)"]
rounds: 2
seed: 296018361524876003361480173045822364141
max_faults: 5
bots:
  - random
  - random-sh
  - {{name: crasher, run: {root}/tests/integration/programs/scripted.py, args: [crash, "3"]}}
  - {{name: absent, run: absent.py}}
clock: {{move: 10s, first: 10s}}
opening: {{plies: 1}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a tournament in which a bot fails to start, and is suspended."""
    (tmp_path / "absent.py").write_text("raise SystemExit(1)")
    file = tmp_path / "shared.yaml"
    file.write_text(FILE.format(root=ROOT))
    return file


def shown(home: Path) -> tuple[list[str], list[str], object]:
    """Return what is seen of a home in the end: matches that count, tables, and the state."""
    records = [without_times(line) for line in output(home, "export").splitlines()]
    boards = [output(home, "leaderboard", *words) for words in ((), ("--json",), ("--crosstable",))]
    (row,) = json.loads(output(home, "tournaments", "--json"))["rows"]
    return records, boards, row["state"]


def bundled(home: Path) -> Path:
    bundle = home.with_suffix(".arena")
    output(home, "bundle", "create", "shared", "-o", bundle)
    return bundle


@pytest.mark.slow
def test_parts_of_two_homes_are_the_whole(file: Path, tmp_path: Path) -> None:
    """Parts 1/2 and 2/2, one of them killed in between, merged in a third home or in one of both,
    give the table, the matches that count and the suspension of a run that nothing disturbed."""
    whole, one, two, third = (tmp_path / name for name in ("whole", "one", "two", "third"))
    assert arena(whole, "run", file).returncode == 0
    assert "absent is suspended" in output(whole, "leaderboard")

    assert arena(one, "run", file, "--part", "1/2").returncode == 0
    run = Running(two, "run", file, "--part", "2/2", "--workers", 2, "--verbose")
    run.until(times=3)
    run.kill()
    assert arena(two, "run", file, "--part", "2/2").returncode == 0

    bundles = [bundled(one), bundled(two)]
    for home in (one, two):
        assert shown(home)[2] == "unfinished"
        assert "suspended" not in output(home, "leaderboard")
    for bundle in reversed(bundles):
        assert arena(third, "bundle", "import", bundle).returncode == 0
    assert arena(one, "bundle", "import", bundles[1]).returncode == 0
    assert shown(third) == shown(whole)
    assert shown(one) == shown(whole)
    # nothing is left to play, with --part or without
    for words in (["--part", "2/2"], []):
        done = arena(third, "run", file, *words, "--verbose")
        assert done.returncode == 0
        assert " by " not in done.stderr
    assert shown(third) == shown(whole)
