"""However many workers play a tournament, the end is the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import ROOT, output, tournament
from support.timeless import timeless

pytestmark = pytest.mark.slow

SCRIPTED = ROOT / "tests/integration/programs/scripted.py"
CRASHER = f"{{name: crasher, run: {SCRIPTED}, args: [crash, '3']}}"
CHEAT = f"{{name: cheat, run: {SCRIPTED}, args: [illegal, '5']}}"


def test_workers_change_nothing(tmp_path: Path) -> None:
    """The number of workers changes neither the leaderboard nor the records, except for times."""
    keys = {"rounds": 2, "seed": 3, "opening": "{plies: 1}", "clock": "{move: 10s, first: 10s}"}
    file = tournament(tmp_path, f"[random, random-sh, {CRASHER}, {CHEAT}]", **keys)
    found = []
    for workers in (1, 4):
        home = tmp_path / str(workers)
        output(home, "run", file, "--workers", workers)
        boards = [output(home, "leaderboard", word) for word in ("--json", "--crosstable")]
        found.append((timeless(home), boards))
    assert found[0] == found[1]
