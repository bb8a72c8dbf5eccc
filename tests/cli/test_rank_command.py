"""``arena rank``: which bundled bots a bot is stronger than, and the level of ``mcts`` near it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import as_json


@pytest.mark.slow
def test_levels_are_played_up_to_the_first_that_is_not_beaten(tmp_path: Path) -> None:
    """Every level before the last was beaten, and the nearest is one of those that were played."""
    found = as_json(tmp_path, "rank", "greedy", "connect_four", "--rounds", "2")
    opponents = [row["opponent"] for row in found["rows"]]
    assert opponents[:3] == ["random", "careful", "mcts --level 1"]
    *beaten, last = found["rows"][2:]
    assert all(row["wins"] > row["losses"] for row in beaten)
    assert last["wins"] <= last["losses"] or last["opponent"] == "mcts --level 5"
    assert f"mcts --level {found['level']}" in opponents
