"""What blocks say of two bots, when to stop, and what repeats weigh."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import count

import pytest

from arena.stats.comparison import MOST_REPEATS, BlockMatch, Comparison
from arena.stats.sprt import Sprt

HALF = Fraction(1, 2)


def played(blocks: Iterable[tuple[Fraction | int, ...]], sprt: Sprt | None = None) -> Comparison:
    """Return the comparison of blocks in which no match repeats another."""
    fresh = count()
    comparison = Comparison(2, sprt)
    for block in blocks:
        comparison.add([BlockMatch(Fraction(score), next(fresh)) for score in block])
    return comparison


@pytest.mark.parametrize(
    ("blocks", "verdict"),
    [
        ([], "inconclusive"),
        ([(1, 1)], "inconclusive"),
        ([(1, 1)] * 5, "stronger"),
        ([(0, 0)] * 5, "weaker"),
        ([(1, 0)] * 50, "inconclusive"),
        ([(1, 1), (0, 0)] * 50, "inconclusive"),
        ([(1, HALF)] * 30, "stronger"),
    ],
)
def test_a_fixed_number_of_blocks(blocks: list[tuple[Fraction | int, ...]], verdict: str) -> None:
    """At the end it counts who is superior with a likelihood of 95 %."""
    comparison = played(blocks)
    assert comparison.reason == ""
    answer = comparison.answer()
    assert (answer.verdict, answer.reason) == (verdict, "end")
    assert answer.llr is None
    assert (answer.blocks, answer.matches) == (len(blocks), 2 * len(blocks))


def test_a_test_stops_at_its_bounds() -> None:
    """Won blocks come to the upper bound, lost ones to the lower one."""
    won = played([(1, 1)] * 100, Sprt(0, 100))
    assert (won.reason, won.answer().verdict) == ("elo1", "stronger")
    lost = played([(0, 0)] * 100, Sprt(0, 100))
    assert (lost.reason, lost.answer().verdict) == ("elo0", "weaker")


def test_not_so_much_stronger_is_not_weaker() -> None:
    """A test that accepts the lower of two high hypotheses says nothing of who is weaker."""
    comparison = played([(1, 1), (1, 0)] * 200, Sprt(300, 400))
    assert comparison.reason == "elo0"
    assert comparison.answer().los > 0.99
    assert comparison.answer().verdict == "inconclusive"


def test_a_test_that_has_not_ended_shows_nothing_yet() -> None:
    """However likely it looks: looking again and again would find a likely moment."""
    comparison = played([(1, 1)] * 6, Sprt(0, 20))
    assert comparison.reason == ""
    assert comparison.answer().los > 0.95
    assert comparison.answer().verdict == "inconclusive"


def test_repeats_add_no_weight() -> None:
    """A block played again a hundred times is one block; both numbers are told."""
    once = played([(1, 1)] * 3)
    again = Comparison()
    for number in (0, 1, 2, *[2] * 100):
        again.add([BlockMatch(Fraction(1), 2 * number), BlockMatch(Fraction(1), 2 * number + 1)])
    assert again.answer()[2:10] == once.answer()[2:10]
    assert again.answer().counts == ((1.0, 3),)
    assert (again.answer().matches, again.answer().repeats) == (206, 200)


def test_a_block_with_one_new_match_counts_whole() -> None:
    """Else only one of the two seats would count, and the first move might be worth a lot."""
    comparison = Comparison()
    for number in range(10):  # whoever moves first wins; one plays alike every time when first
        comparison.add([BlockMatch(Fraction(1), -1), BlockMatch(Fraction(0), number)])
    answer = comparison.answer()
    assert answer.counts == ((0.5, 10),)
    assert (answer.repeats, answer.verdict) == (9, "inconclusive")


def test_a_new_match_in_time_goes_on() -> None:
    """Only blocks in a row count towards giving up."""
    comparison = Comparison()
    block = [BlockMatch(Fraction(1), 0), BlockMatch(Fraction(1), 1)]
    for new in (2, 3):
        for _ in range(MOST_REPEATS - 1):
            comparison.add(block)
            assert comparison.reason == ""
        comparison.add([BlockMatch(Fraction(1), 0), BlockMatch(Fraction(1), new)])
    for _ in range(MOST_REPEATS):
        assert comparison.reason == ""
        comparison.add(block)
    assert comparison.reason == "repeats"
    assert comparison.answer().verdict == "inconclusive"
