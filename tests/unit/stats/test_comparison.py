"""What blocks say of two bots, when to stop, and what repeats weigh."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import count
from random import Random

import pytest

from arena.stats.scores import elo_of_score
from arena.stats.sprt import Sprt
from arena.stats.strength import BlockMatch, SequentialTest
from arena.stats.weights import moves_hash, seated

HALF = Fraction(1, 2)


def on(deal: object, *scores: Fraction | int, ways: str = "ab") -> list[BlockMatch]:
    """Return a block on a deal, whose two matches went these ways."""
    return [
        BlockMatch(Fraction(score), moves_hash(str(deal), way), seated(seats))
        for score, way, seats in zip(scores, ways, (("a", "b"), ("b", "a")), strict=True)
    ]


def played(
    blocks: Iterable[tuple[Fraction | int, ...]], sprt: Sprt | None = None
) -> SequentialTest:
    """Return the comparison of blocks in which no match repeats another."""
    fresh = count()
    comparison = SequentialTest(2, sprt)
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
def test_likelihood_decides_at_end(blocks: list[tuple[Fraction | int, ...]], verdict: str) -> None:
    """After the last block the verdict is that of a likelihood of 95 %."""
    comparison = played(blocks)
    assert comparison.reason == ""
    answer = comparison.answer()
    assert (answer.verdict, answer.reason) == (verdict, "end")
    assert answer.llr is None
    assert (answer.blocks, answer.matches) == (len(blocks), 2 * len(blocks))


def test_sprt_stops_at_its_bounds() -> None:
    """Won blocks stop at ``elo1`` as stronger, lost ones at ``elo0`` as inconclusive."""
    won = played([(1, 1)] * 100, Sprt(0, 100))
    assert (won.reason, won.answer().verdict) == ("elo1", "stronger")
    lost = played([(0, 0)] * 100, Sprt(0, 100))
    assert (lost.reason, lost.answer().verdict) == ("elo0", "inconclusive")


def test_with_chance_every_match_counts() -> None:
    """A bot that wins 90 % by one line, and loses 10 %, each time another way, has 90 %."""
    comparison, rng, fresh = SequentialTest(), Random(1), count()
    for _ in range(1000):
        matches = []
        for seats in (("a", "b"), ("b", "a")):
            won = rng.random() < 0.9
            play = moves_hash("d", "usual" if won else str(next(fresh)))
            matches.append(BlockMatch(Fraction(won), play, seated(seats)))
        comparison.add(matches)
    answer = comparison.answer()
    assert (answer.blocks, answer.repeats, answer.same_deal) == (1000, 0, 1000)
    assert answer.score == pytest.approx(0.9, abs=0.02)
    assert answer.elo_low is not None
    assert answer.elo_high is not None
    assert answer.elo_low < elo_of_score(0.9) < answer.elo_high
    assert answer.verdict == "stronger"


def test_sprt_counts_copies_once_chance_is_seen() -> None:
    """At the first sign of chance the ratio counts every block, earlier copies too."""
    comparison = SequentialTest(2, Sprt(0, 100))
    for _ in range(50):
        comparison.add(on("d", 1, 1))
    assert (comparison.reason, comparison.answer().blocks) == ("", 1)
    comparison.add(on("d", 1, 1, ways="ac"))
    assert (comparison.reason, comparison.answer().blocks) == ("elo1", 51)
