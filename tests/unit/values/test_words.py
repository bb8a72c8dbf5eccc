"""Durations and numbers of things, as people read them."""

from __future__ import annotations

import pytest

from arena.values.words import duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.00 ms"),
        (0.0009994, "1.00 ms"),
        (0.9994, "999 ms"),
        (0.9995, "1 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (95, "1 min 35 s"),
        (3599.6, "1 h 0 min"),
        (11_000, "3 h 3 min"),
        (200_000, "2 d 7 h"),
    ],
)
def test_duration_is_shown_in_two_units(seconds: float, text: str) -> None:
    """Below a minute a duration has three digits, above it the two largest units."""
    assert duration(seconds) == text
