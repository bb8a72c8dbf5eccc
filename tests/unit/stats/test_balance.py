"""What matches say of a game: by hand, by scipy, and of simulated games whose truth is known."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from arena.stats.fairness import Balance, Fairness, balance, mean_elo, skill
from arena.stats.intervals import Estimate
from arena.stats.shape_of_games import PlayedMatch
from arena.stats.weights import moves_hash

NUMBERS = itertools.count()


def played(
    block: int,
    ranks: Sequence[int],
    *,
    length: int = 2,
    choices: int = 10,
    seats: tuple[str, ...] = ("oak", "oak"),
    kinds: Sequence[tuple[str, int]] = (("move", 2),),
) -> PlayedMatch:
    """Return a match, which is no copy of another."""
    play = moves_hash(str(next(NUMBERS)), "")
    each = (choices, *(0,) * (length - 1))
    return PlayedMatch(block, seats, tuple(ranks), play, each, dict(kinds))


def measured(matches: Sequence[PlayedMatch]) -> Balance:
    found = balance(matches)
    assert found is not None
    return found


WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def test_shares_of_four_matches_by_hand() -> None:
    """Of four matches two won by player 0, one by player 1: 2/3, 1/3 and a quarter drawn."""
    found = measured(
        [
            played(0, WON, length=3, choices=30, kinds=[("move", 2), ("pass", 1)]),
            played(0, LOST, length=5, choices=20, kinds=[("move", 5)]),
            played(1, WON, length=4, choices=40, kinds=[("pass", 4)]),
            played(1, DRAWN, length=4, choices=70, kinds=[("move", 4)]),
        ]
    )
    assert found.wins is not None
    assert [share.value for share in found.wins] == pytest.approx([2 / 3, 1 / 3])
    assert [share.value for share in found.expected or ()] == [0.625, 0.375]
    assert found.deal == 0.0  # matches of one deal differ by more than the deals do
    assert (found.decided.value, found.drawn.value) == (0.75, 0.25)
    assert (found.length.value, found.branching.value) == (4.0, 10.0)
    assert found.kinds == (("move", 11 / 16), ("pass", 5 / 16))
    assert (found.matches, found.distinct) == (4, 4)


def blocks_of(first: int, second: int, drawn: int = 0) -> list[PlayedMatch]:
    """Return matches, one a block, of which each player won so many."""
    ranks = [WON] * first + [LOST] * second + [DRAWN] * drawn
    return [played(block, rank) for block, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    ("matches", "verdict", "seat"),
    [
        (blocks_of(78, 22), Fairness.UNFAIR, 0),
        (blocks_of(22, 78), Fairness.UNFAIR, 0),
        (blocks_of(6, 4), Fairness.UNSETTLED, 0),
        (blocks_of(1010, 990), Fairness.FAIR, 0),
        (blocks_of(1080, 920), Fairness.LITTLE, 0),
        (blocks_of(0, 0, 5), Fairness.UNDECIDED, 0),
        ([played(0, (1,), seats=("oak",))], Fairness.ALONE, 0),
        (
            [played(n, (2, 3, 1) if n % 10 else (1, 2, 3), seats=("oak",) * 3) for n in range(100)],
            Fairness.UNFAIR,
            2,
        ),
    ],
)
def test_verdict_of_interval(matches: Sequence[PlayedMatch], verdict: Fairness, seat: int) -> None:
    """The verdict follows from the interval of player 0's share and its distance from fair."""
    found = measured(matches)
    assert (found.verdict, found.seat) == (verdict, seat)


def test_skill_of_constant_winner_is_1() -> None:
    """A bot that always wins has skill 1, one that wins every other match 0."""
    seats = ("oak", "elm")
    always = skill([(0, played(n, WON, seats=seats)) for n in range(10)])
    half = skill([(0, played(n, WON if n % 2 else LOST, seats=seats)) for n in range(10)])
    most = skill([(0, played(n, LOST if n % 10 == 0 else WON, seats=seats)) for n in range(100)])
    assert always is not None
    assert half is not None
    assert most is not None
    assert (always.score.value, always.share) == (1.0, 1.0)
    assert (half.score.value, half.share) == (0.5, 0.0)
    # the mean lead is 0.8, its square 0.64; the variance of that mean is 0.36 / 99
    assert most.share == pytest.approx(0.64 - 0.36 / 99)


@pytest.mark.parametrize(
    ("runs", "most"), [(200, 0.10), pytest.param(2000, 0.07, marks=pytest.mark.nightly)]
)
def test_fair_games_are_seldom_called_unfair(runs: int, most: float) -> None:
    """Of 200 measurements of a fair game for three at most one in ten, in the long run 7 %."""
    rng = random.Random(runs)
    wrong = 0
    seats = ("oak",) * 3
    places = [(1, 2, 3), (2, 1, 3), (3, 2, 1)]
    for _ in range(runs):
        matches = [played(n, rng.choice(places), seats=seats) for n in range(60)]
        wrong += measured(matches).verdict in (Fairness.UNFAIR, Fairness.LITTLE)
    assert wrong / runs <= most


def test_elo_of_several_pairs_is_their_mean() -> None:
    """Its interval is as wide as that of a mean of independent ones; one that has no end counts."""
    even, better = Estimate(0.5, 0.4, 0.6), Estimate(0.75, 0.75, 0.75)
    mean = mean_elo([even, better])
    assert mean is not None
    ends = [400 * math.log10(3) / 2 + sign * 400 * math.log10(1.5) / 2 for sign in (0, -1, 1)]
    assert mean == pytest.approx(ends)
    assert mean_elo([Estimate(1.0, 0.8, 1.0), even]) is None
    assert mean_elo([]) is None
