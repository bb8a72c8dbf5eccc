"""Whole small tournaments as data: a file, and what its table must show."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from support.arena_command import ROOT, as_json, output, process
from support.hostile_rows import ROWS
from support.waiting import marked

CASE = ROOT / "tests/cases/good_and_hostile"


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Give a temporary folder with a short path: the name of a socket in it has 100 characters."""
    with tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as name:
        yield Path(name)


@pytest.mark.slow
def test_good_bots_among_hostile_ones(
    tmp_path: Path, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every verdict is in the table at its bot, good bots have none, and nothing is left."""
    home = tmp_path / "home"
    monkeypatch.setenv("TMPDIR", str(short_folder))
    (tmp_path / "rows").mkdir()
    for row in ROWS:
        row.write(tmp_path / "rows")
    file = Path(shutil.copy(CASE / "tournament.yaml", tmp_path))
    done = process(home, "run", file)  # of which nothing may be left
    assert done.returncode == 0, done.stdout + done.stderr
    expected = yaml.safe_load((CASE / "expected.yaml").read_text())
    board = as_json(home, "leaderboard")
    rows = board["rows"]
    assert {row["bot"]: sorted(row["faults"]) for row in rows} == expected
    assert [row["bot"] for row in board["out"]] == ["absent"]
    for code in ("startup", "crash", "illegal", "protocol", "flood", "time", "memory"):
        assert code in done.stdout
    assert {row["bot"] for row in rows[:3]} == {"random", "greedy", "parent"}
    assert output(home, "verify").endswith("all right\n")
    assert os.listdir(short_folder) == []
    assert marked(bytes(short_folder)) == {}
