"""Time controls worked by hand."""

from __future__ import annotations

from arena.match.clock import GameClock
from arena.values.model import Clock


def test_game_clock_follows_from_microseconds_of_record() -> None:
    """The game clock is charged in microseconds, as a record keeps them."""
    clock = GameClock(Clock(move_ms=None, first_ms=0, main_ms=1000))
    clock.charge(0.0004)
    assert clock.left_ms == 1000
    clock.charge(0.0006)
    assert clock.left_ms == 999
