"""A tournament of a game for one player: tables, lists of matches and pages of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import as_json, output, tournament
from support.bot_programs import program


@pytest.mark.slow
def test_game_for_one_player_ranks_by_mean_score(tmp_path: Path) -> None:
    """In a game for one player the mean score ranks; equal bots share a rank without Elo."""
    for name in ("quits", "leaves"):
        (tmp_path / f"{name}.py").write_text(program(answer='print("resign", flush=True)'))
    home = tmp_path / "home"
    bots = "[{name: quits, run: quits.py}, greedy, {name: leaves, run: leaves.py}]"
    keys = {"game": "the_tree(players=1)", "rounds": 4, "seed": 7, "sandbox": "none"}
    output(home, "run", tournament(tmp_path, bots, **keys), "--allow-unsafe")
    found = as_json(home, "matches")["rows"]
    assert [row["ranks"] for row in found] == [[1]] * 12
    scores = [row["scores"][0] for row in found if row["bots"] == ["greedy"]]
    board = as_json(home, "leaderboard")
    rows = {row["bot"]: row for row in board["rows"]}
    assert [row["bot"] for row in board["rows"]] == ["greedy", "leaves", "quits"]
    assert [row["rank"] for row in board["rows"]] == [1, 2, 2]
    assert rows["greedy"]["mean_score"] == sum(scores) / 4 > 0
    assert rows["quits"]["mean_score"] == 0
    assert {(row["score"], row["los"], row["rating"]) for row in board["rows"]} == {
        (None, None, "mean-score")
    }
    assert board["deals"] == 4
    table = output(home, "leaderboard")
    assert "mean score" in table
    assert "4 deals" in table
    assert "Elo" not in table
    lost = next(row["id"] for row in found if row["bots"] == ["quits"])
    record = as_json(home, "show", lost)
    assert record["ranks"] == [1]
    assert "rank" not in output(home, "matches")
    output(home, "report", "-o", tmp_path / "report")
    assert "mean score" in (tmp_path / "report" / "index.html").read_text()
    output(home, "leaderboard", "--format", "csv")
    assert output(home, "verify", "--ratings")
