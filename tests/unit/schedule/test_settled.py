"""A bitmap of settled matches, and its complete prefix."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.settled import Settled


@given(st.lists(st.integers(0, 40), max_size=60))
def test_it_is_a_set(steps: list[int]) -> None:
    """It holds what a set holds, and its prefix is the first number that the set has not."""
    settled, numbers = Settled(), set[int]()
    for number in steps:
        settled.add(number)
        numbers.add(number)
        assert len(settled) == len(numbers)
        assert [n for n in range(50) if n in settled] == sorted(numbers)
        assert settled.advance() == min(set(range(50)) - numbers)
