"""``arena balance`` and ``arena.measure_balance``: real matches, counted again from records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import ROOT, as_json, output

from arena import measure_balance
from arena.values.errors import UsageError
from engines import EngineError

pytestmark = pytest.mark.slow

RANDOM = ("--bots", "random")


def measured(home: Path, *args: object) -> dict[str, Any]:
    """Run the command with ``--json``; what it printed, without the place of the home and times."""
    found: dict[str, Any] = as_json(home, "balance", *args)
    del found["kept"]
    assert all(row.pop("round_ms") >= 0 for row in found["rows"])
    return found


def test_balance_goes_on_with_more_rounds(tmp_path: Path) -> None:
    """``balance`` with more rounds keeps those played, with the result of one run."""
    args = ("leaves(tree=u)", *RANDOM, "--rounds")
    assert measured(tmp_path / "home", *args, 1)["rows"][0]["matches"] == 2
    assert measured(tmp_path / "home", *args, 2) == measured(tmp_path / "other", *args, 2)


def test_balance_leaves_out_matches_with_faults(tmp_path: Path) -> None:
    """Matches with a fault are counted by ``balance``, and no part of its verdict."""
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit('no')\n")
    found = measured(tmp_path / "home", "leaves", "--bots", bad, "--rounds", 2)
    (row,) = found["rows"]
    assert row["faulty"] == 4
    assert "verdict" not in row
    text = output(tmp_path / "home", "balance", "leaves", "--bots", bad, "--rounds", 2)
    assert "4 left out" in text


def test_measure_balance_checks_its_arguments(tmp_path: Path) -> None:
    """``measure_balance`` raises for missing games or bots and for wrong types."""
    home = tmp_path / "home"
    with pytest.raises(UsageError, match="at least one game"):
        measure_balance([], home)
    with pytest.raises(UsageError, match="at least one bot"):
        measure_balance(["leaves"], home, bots=[])
    with pytest.raises(UsageError, match="rounds"):
        measure_balance(["leaves"], home, rounds=0)
    with pytest.raises(EngineError):
        measure_balance(["leafs"], home)
    with pytest.raises(TypeError, match="bots"):
        measure_balance(["leaves"], home, bots=[7])  # type: ignore[list-item]
    assert not home.exists()


def test_every_key_of_balance_is_documented(tmp_path: Path) -> None:
    """The page names every key that ``balance --json`` prints."""
    page = (ROOT / "docs/how-to/is-my-game-fair.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    found = as_json(tmp_path, "balance", "the_tree", "--bots", "random,greedy", "--rounds", 1)
    keys = {*found, *(key for row in found["rows"] for key in row), *found["rows"][0]["shape"]}
    keys |= {*found["rows"][0]["shape"]["moments"][0]}
    keys |= {*found["rows"][0]["shape"]["first_actions"][0]}
    assert keys <= named
