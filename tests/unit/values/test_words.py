"""Durations and numbers of things, as people read them."""

from __future__ import annotations

import pytest

from arena.values.words import HASH, count, duration


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


def test_count_has_plural_unless_one() -> None:
    """A count has the plural of its noun, except for 1."""
    assert [count(n, "match") for n in (0, 1, 2)] == ["0 matches", "1 match", "2 matches"]
    assert [count(n, "bot") for n in (1, 1000)] == ["1 bot", "1,000 bots"]


def test_hash_has_64_lower_case_digits() -> None:
    """A hash is ``sha256:`` with 64 lower-case hexadecimal digits."""
    assert HASH.fullmatch("sha256:" + "0" * 64)
    assert not HASH.fullmatch("sha256:" + "A" * 64)
    assert not HASH.fullmatch("sha256:" + "0" * 63)
