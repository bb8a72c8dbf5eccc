"""Brackets that are small enough to be drawn by hand."""

from __future__ import annotations

from arena.schedule.knockout import seed_slots


def test_eight_seeds_stand_as_everywhere() -> None:
    """1-8, 4-5, 2-7, 3-6: the two best meet in the final at the earliest."""
    assert seed_slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]
