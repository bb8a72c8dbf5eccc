"""The page of the levels of ``mcts``."""

from __future__ import annotations

from benchmarks.strength import Level, cpu_seconds, document
from engines import load_game


def test_the_page_has_a_row_for_each_level() -> None:
    """The page shows a dash for a level without matches, and names the games without a row."""
    page = document([Level("leaves", 1, 0.012), Level("leaves", 5, 1.5)], 40)
    rows = [line.split() for line in page.splitlines() if line.startswith("leaves")]
    assert rows == [["leaves", "1", "12", "ms", "–", "–"], ["leaves", "5", "1500", "ms", "–", "–"]]
    assert "Not in this run" in page
    assert "treeblox" in page


def test_a_decision_takes_time() -> None:
    """More of a search takes longer."""
    game = load_game("connect_four")
    assert 0.0 < cpu_seconds(game, 1) < cpu_seconds(game, 200)
