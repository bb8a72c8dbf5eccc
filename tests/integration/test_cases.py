"""Whole small tournaments as data: a file, and what its table must show."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml
from arena_command import ROOT, arena, output

CASE = ROOT / "tests/cases/good_and_hostile"


def temporary_files() -> set[str]:
    """Return the names in the temporary folder that could be ours."""
    return {name for name in os.listdir("/tmp") if name.startswith(("arena-", "pymp-"))}


def processes() -> set[str]:
    """Return the command lines of all programs of rows that run."""
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = Path(f"/proc/{name}/cmdline").read_bytes()
        except OSError:
            continue
        if b"bot.py" in line:
            found.add(line.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


@pytest.mark.slow
def test_good_bots_among_hostile_ones(tmp_path: Path) -> None:
    """Every verdict is in the table at its bot, good bots have none, and nothing is left."""
    before = temporary_files()
    home = tmp_path / "home"
    done = arena(home, "run", CASE / "tournament.yaml", timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = yaml.safe_load((CASE / "expected.yaml").read_text())
    rows = json.loads(output(home, "leaderboard", "--json"))["rows"]
    assert {row["bot"]: sorted(row["faults"]) for row in rows} == expected
    for code in ("startup", "crash", "illegal", "protocol", "flood", "time", "memory"):
        assert code in done.stdout
    assert {row["bot"] for row in rows[:3]} == {"random", "greedy", "parent"}
    assert output(home, "verify").endswith("all right\n")
    assert temporary_files() - before == set()
    assert str(tmp_path) not in " ".join(processes())
