"""The page of the levels of ``mcts``."""

from __future__ import annotations

import re

from benchmarks.strength import PAGE, Level, cpu_seconds, document
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


def test_no_level_is_weaker_than_the_one_below() -> None:
    """No level on the page has an interval wholly below 0, and every game has its rows."""
    text = PAGE.read_text("utf-8")
    shown = re.findall(r"([+-]\d+) (?:± (\d+)|\(([+-]\d+) to ([+-]\d+)\))", text)
    for elo, around, _, high in shown:
        assert int(high or int(elo) + int(around)) >= 0
    assert len(shown) > 20
    assert "Not in this run" not in text
