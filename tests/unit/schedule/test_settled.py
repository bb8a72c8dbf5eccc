"""A bitmap of settled matches, and its complete prefix."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.settled import Settled


def test_taking_back_moves_the_prefix_back() -> None:
    """What is taken back below the prefix is the new end of it; above, nothing changes."""
    settled = Settled(bytearray([0xFF, 0xFF, 0b00000101]))
    assert (len(settled), settled.advance()) == (18, 17)
    settled.discard(18)
    settled.discard(17)
    assert (len(settled), settled.prefix) == (17, 17)
    settled.discard(3)
    assert (len(settled), settled.prefix, settled.advance()) == (16, 3, 3)
    settled.add(3)
    assert settled.advance() == 17


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=60))
def test_it_is_a_set(steps: list[tuple[bool, int]]) -> None:
    """It holds what a set holds, and its prefix is the first number that the set has not."""
    settled, numbers = Settled(bytearray()), set[int]()
    for add, number in steps:
        if add:
            settled.add(number)
            numbers.add(number)
        else:
            settled.discard(number)
            numbers.discard(number)
        assert len(settled) == len(numbers)
        assert [n for n in range(50) if n in settled] == sorted(numbers)
        assert settled.advance() == min(set(range(50)) - numbers)
