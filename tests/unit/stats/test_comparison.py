"""What blocks say of two bots, when to stop, and what repeats weigh."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import count
from math import log, sqrt
from random import Random

import pytest

from arena.stats.scores import elo_of_score
from arena.stats.sprt import Sprt
from arena.stats.strength import MOST_REPEATS, BlockMatch, Comparison
from arena.stats.weights import play_number, seated

HALF = Fraction(1, 2)


def on(deal: object, *scores: Fraction | int, ways: str = "ab") -> list[BlockMatch]:
    """Return a block on a deal, whose two matches went these ways."""
    return [
        BlockMatch(Fraction(score), play_number(str(deal), way), seated(seats))
        for score, way, seats in zip(scores, ways, (("a", "b"), ("b", "a")), strict=True)
    ]


def played(blocks: Iterable[tuple[Fraction | int, ...]], sprt: Sprt | None = None) -> Comparison:
    """Return the comparison of blocks in which no match repeats another."""
    fresh = count()
    comparison = Comparison(2, sprt)
    for block in blocks:
        comparison.add(on(next(fresh), *block))
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
    """Won blocks come to the upper bound, lost ones to the lower one, which shows nobody weaker."""
    won = played([(1, 1)] * 100, Sprt(0, 100))
    assert (won.reason, won.answer().verdict) == ("elo1", "stronger")
    lost = played([(0, 0)] * 100, Sprt(0, 100))
    assert (lost.reason, lost.answer().verdict) == ("elo0", "inconclusive")


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


def test_not_weaker_is_not_stronger() -> None:
    """A test that begins below 0 shows that nothing was lost, and no more."""
    for test in (Sprt(-150, 0), Sprt(-10, 10), Sprt(-200, -100)):
        found = played([(1, 0), (1, 1)] * 500, test)
        assert (found.reason, found.answer().verdict) == ("elo1", "not-weaker")
    assert played([(1, 1)] * 100, Sprt(0, 100)).answer().verdict == "stronger"


def test_results_by_hand() -> None:
    """Matches are won, drawn and lost; normalised Elo is the score by what a match varies."""
    answer = played([(1, HALF), (1, 0), (0, 0), (1, 1)]).answer()
    assert (answer.wins, answer.draws, answer.losses) == (4, 1, 3)
    # block scores 3/4, 1/2, 0, 1: the mean 9/16, the variance 35/256, of a match twice that
    assert answer.nelo == pytest.approx((1 / 16) / sqrt(35 / 128) * 800 / log(10))
    assert played([(1, 1)]).answer().nelo is None


def test_copies_add_no_weight() -> None:
    """A block played again a hundred times is one block; both numbers are told."""
    once = played([(1, 1)] * 3)
    again = Comparison()
    for number in (0, 1, 2, *[2] * 100):
        again.add(on(number, 1, 1))
    assert again.answer() == once.answer()._replace(matches=206, repeats=200)


def test_with_chance_every_match_counts() -> None:
    """A bot that wins 90 % by one line, and loses 10 %, each time another way, has 90 %."""
    comparison, rng, fresh = Comparison(), Random(1), count()
    for _ in range(1000):
        matches = []
        for seats in (("a", "b"), ("b", "a")):
            won = rng.random() < 0.9
            play = play_number("d", "usual" if won else str(next(fresh)))
            matches.append(BlockMatch(Fraction(won), play, seated(seats)))
        comparison.add(matches)
    answer = comparison.answer()
    assert (answer.blocks, answer.repeats, answer.same_deal) == (1000, 0, 1000)
    assert answer.score == pytest.approx(0.9, abs=0.02)
    assert answer.elo_low is not None
    assert answer.elo_high is not None
    assert answer.elo_low < elo_of_score(0.9) < answer.elo_high
    assert answer.verdict == "stronger"


def test_the_test_looks_at_all_of_them_from_then_on() -> None:
    """At the first sign of chance the ratio is that of every block, the earlier copies too."""
    comparison = Comparison(2, Sprt(0, 100))
    for _ in range(50):
        comparison.add(on("d", 1, 1))
    assert (comparison.reason, comparison.answer().blocks) == ("", 1)
    comparison.add(on("d", 1, 1, ways="ac"))
    assert (comparison.reason, comparison.answer().blocks) == ("elo1", 51)


def test_a_block_with_a_match_that_is_no_copy_counts_whole() -> None:
    """Else only one of the seats would count, and the first move might be worth a lot."""
    comparison = Comparison(3)
    for deal, seats in (("d", "abc"), ("d", "abc"), ("d", "acb")):
        comparison.add([BlockMatch(HALF, play_number(deal, ""), seated((x,))) for x in seats[:2]])
    assert (comparison.answer().blocks, comparison.answer().repeats) == (2, 3)


def test_a_new_deal_in_time_goes_on() -> None:
    """Only blocks in a row count towards giving up."""
    comparison = Comparison()
    comparison.add(on(0, 1, 1))
    for new in (1, 2):
        for _ in range(MOST_REPEATS - 1):
            comparison.add(on(0, 1, 1))
            assert comparison.reason == ""
        comparison.add(on(new, 1, 1))
    for _ in range(MOST_REPEATS):
        assert comparison.reason == ""
        comparison.add(on(0, 1, 1))
    assert comparison.reason == "repeats"
    assert comparison.answer().verdict == "inconclusive"
