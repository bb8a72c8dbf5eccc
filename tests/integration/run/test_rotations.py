"""Tournaments of more and of fewer than two players a match: The Tree with three and alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import as_json, output, tournament


@pytest.mark.slow
def test_game_for_one_player_is_not_rated(tmp_path: Path) -> None:
    """In a game for one player nobody is rated, and the bot that solved more is first."""
    home = tmp_path / "home"
    output(home, "run", tournament(tmp_path, game="the_tree(players=1,hand=2)", rounds=8, seed=0))
    records = [json.loads(line) for line in output(home, "export").splitlines()]
    assert len(records) == 16
    assert {tuple(record["ranks"]) for record in records} == {(1,)}
    solved = {"random": 0, "greedy": 0}
    for record in records:
        solved[record["players"][0]["bot"]] += record["scores"] == [1]
    assert 0 < sum(solved.values()) < 16, "this hand size should be solved sometimes"
    rows = as_json(home, "leaderboard")["rows"]
    assert {row["bot"]: (row["wins"], row["losses"]) for row in rows} == {
        bot: (count, 8 - count) for bot, count in solved.items()
    }
    assert {row["mu"] for row in rows} == {25.0}
    assert rows[0]["wins"] >= rows[1]["wins"]
