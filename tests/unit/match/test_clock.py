"""Time controls worked by hand."""

from __future__ import annotations

from arena.match.clock import GameClock
from arena.values.model import Clock


def test_limit_is_smaller_of_move_and_game_clock() -> None:
    """The limit is that of the smaller clock; ``first`` is added to the first decision."""
    clock = GameClock(Clock(move_ms=300, first_ms=50, main_ms=400))
    assert clock.limit_ms == 350
    clock.charge(250.0)
    assert clock.limit_ms == 150


def test_third_answer_within_margin_is_too_late() -> None:
    """Two answers within the margin are accepted; the third and every later one is out of time."""
    clock = GameClock(Clock(move_ms=100, first_ms=0))
    assert [clock.late_once_more() for _ in range(4)] == [False, False, True, True]


def test_game_clock_follows_from_microseconds_of_record() -> None:
    """The game clock is charged in microseconds, as a record keeps them."""
    clock = GameClock(Clock(move_ms=None, first_ms=0, main_ms=1000))
    clock.charge(0.0004)
    assert clock.left_ms == 1000
    clock.charge(0.0006)
    assert clock.left_ms == 999
