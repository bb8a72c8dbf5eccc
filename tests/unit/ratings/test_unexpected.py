"""Pairs whose results are too unlikely: by hand, against scipy, and in made-up tournaments."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm
from support.outcomes import Rules, drawn, simulate, won

from arena.ratings.closed_form import DEVIATION
from arena.ratings.likelihoods import Block, make_table, match_counts
from arena.ratings.order_free import OrderFree
from arena.ratings.unexpected import tail_bound, unexpected_results
from arena.values.tables import Unexpected

# each beats the next one: all are equally strong, so half of the points are expected of each
CIRCLE = (("a", "b"), ("b", "c"), ("c", "a"))


def found(blocks: dict[Block, int]) -> tuple[Unexpected, ...]:
    return unexpected_results(blocks, OrderFree(match_counts(blocks)))


def circle(won_blocks: int, lost_blocks: int, with_a_draw: int = 0) -> dict[Block, int]:
    """Return blocks of two matches: both are won, both are lost, or one is won and one drawn."""
    blocks: dict[Block, int] = {}
    for one, other in CIRCLE:
        blocks[won(one, other), won(one, other)] = won_blocks
        blocks[won(other, one), won(other, one)] = lost_blocks
        blocks[drawn(one, other), won(one, other)] = with_a_draw
    return {block: count for block, count in blocks.items() if count}


@pytest.mark.parametrize(
    ("blocks", "points", "games"),
    [
        # 2 (20 + 2) / 2^20 of 20 coins are 4.2e-5; three times that is below 0.001
        (circle(19, 1), 38.0, 40),
        (circle(18, 0, 2), 39.0, 40),
        # 2 (190 + 2 * 20 + 3) / 2^20 are 4.4e-4: below 0.001 for one pair, not for three
        (circle(18, 2), None, 0),
        (circle(19, 0), None, 0),  # nineteen blocks
        # 400 of 600 of three players, each twice before the next one in a block: 133.3 of 200
        ({(won("a", "b", "c"), won("b", "c", "a"), won("c", "a", "b")): 200}, 400.0, 600),
    ],
)
def test_results_by_hand(blocks: dict[Block, int], points: float | None, games: int) -> None:
    """A block counts once, whatever the number of its matches; and so do 20 of them at least."""
    expected = {Unexpected(one, other, points or 0.0, games, games / 2) for one, other in CIRCLE}
    assert set(found(blocks)) == (set() if points is None else expected)
    assert set(make_table(blocks).unexpected) == set(found(blocks))


def test_a_bot_that_lets_another_win() -> None:
    """Of six bots the best loses to the last one: that pair is found, with what scipy expects."""
    blocks, truth = simulate(Rules(bots=6, rounds=25), random.Random(3))
    last, *_, best = sorted(truth, key=lambda name: truth[name])
    kept = {block: n for block, n in blocks.items() if set(block[0][0]) != {last, best}}
    given = {**kept, (won(last, best), won(last, best)): 25}
    [one] = found(given)
    fit = OrderFree(match_counts(given))
    mu = {name: rating.mu for name, rating in fit.ratings().items()}
    sides = [norm.cdf((mu[last] - mu[best] + by) / DEVIATION) for by in (-fit.margin, fit.margin)]
    assert one == Unexpected(last, best, 50.0, 50, round(50 * sum(sides) / 2, 1))
    assert one.expected < 20.0


def test_the_bound_is_that_of_its_definition() -> None:
    """The least of E max(B - k, 0) / (total - k), by scipy, and at most e times the tail of B."""
    for count, mean, part in product((1, 2, 20, 300), (0.03, 0.5, 0.56, 0.97), (0.3, 0.7, 1.0)):
        total = count * (mean + part * (1.0 - mean))
        for asked in (total, float(np.ceil(total))):
            j = np.arange(count + 1)
            law = binom.pmf(j, count, mean)
            least = min(
                float(np.sum(np.maximum(j - k, 0) * law)) / (asked - k)
                for k in range(int(np.ceil(asked)))
            )
            bound = tail_bound(count, mean, asked)
            assert bound == pytest.approx(min(1.0, least), rel=1e-9)
            assert binom.sf(np.ceil(asked) - 1, count, mean) <= bound * (1.0 + 1e-9)
        assert tail_bound(count, mean, np.ceil(total)) <= np.e * binom.sf(
            np.ceil(total) - 1, count, mean
        ) * (1.0 + 1e-9)


def test_numbers_between_0_and_1_vary_less() -> None:
    """The bound holds for scores of 0, 1/2 and 1 with chances of their own, added up exactly."""
    rng = random.Random(9)
    for _ in range(50):
        law, mean, count = np.ones(1), 0.0, 24
        for _ in range(count):
            weights = np.array([rng.random() for _ in range(3)])
            law = np.convolve(law, weights / weights.sum())
            mean += float(weights[1] / 2 + weights[2]) / float(weights.sum()) / count
        tails = law[::-1].cumsum()[::-1]
        for halves in range(1, 2 * count + 1):
            assert tails[halves] <= tail_bound(count, mean, halves / 2) * (1.0 + 1e-9)


def test_of_far_out_results_nothing_overflows() -> None:
    """Many blocks, and chances next to 0 and to 1."""
    assert tail_bound(100_000, 0.5, 100_000.0) == 0.0
    assert tail_bound(100_000, 1e-12, 1.0) == pytest.approx(1e-7, rel=1e-4)
    assert tail_bound(100_000, 1.0, 100_000.0) == 1.0
    assert tail_bound(1_000_000, 0.5, 501_000.0) == pytest.approx(0.0228, rel=1.8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        Rules(bots=6, rounds=20),
        Rules(bots=6, rounds=20, deal=4.0),  # deals that favour a seat
        Rules(bots=6, rounds=20, mood=4.0),  # or a bot: both matches of a block go alike
        Rules(bots=4, rounds=20, players=3, margin=0.0),
    ],
)
def test_those_who_play_as_expected(rules: Rules) -> None:
    """Of 100 tournaments without a surprise none is said to have one."""
    rng = random.Random(5)
    said: Counter[str] = Counter()
    for _ in range(100):
        said.update(one.bot for one in found(simulate(rules, rng).blocks))
    assert not said
