"""What a person in a seat knows: the position follows the referee, whoever leaves the match."""

from __future__ import annotations

import pytest

from arena.play.seat_view import SeatView

pytestmark = pytest.mark.usefixtures("small_games")


def test_seat_view_follows_dropped_player() -> None:
    """That a player was dropped is known to a seat by its next observation."""
    view = SeatView()
    lines = ("game m pebbles(players=3)", "seat 2 3", "setup 9 0,0,0 0", "did 0 take:1")
    question = ("obs 8 1,0,0 2 drop=1", "legal take:1 take:2 take:3", "go 1 limit=1000")
    for line in (*lines, *question):
        view.hear(line)
    assert view.state().players_to_act() == (2,)
    assert view.refusal("take:4")
    assert not view.refusal("take:2")
    view.answered("take:2")
    assert view.state().players_to_act() == (2,)  # as it was in the last question
