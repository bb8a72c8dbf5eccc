"""Brackets that are small enough to be drawn by hand."""

from __future__ import annotations

from fractions import Fraction

from arena.schedule.knockout import seed_slots

HALF = Fraction(1, 2)
WIN, LOSS, TIED = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (HALF, HALF)


def test_eight_seeds_stand_as_everywhere() -> None:
    """1-8, 4-5, 2-7, 3-6: the two best meet in the final at the earliest."""
    assert seed_slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]
