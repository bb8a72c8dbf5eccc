"""Intervals are those of scipy where it has them, and cover the truth as often as they say."""

from __future__ import annotations

import random

import pytest
from scipy import stats

from arena.stats.intervals import mean, rate, t_quantile


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 29, 99, 1999, 10**6])
@pytest.mark.parametrize("chance", [0.5, 0.6, 0.9, 0.975, 0.995, 0.9999])
def test_quantiles_are_students(chance: float, freedom: int) -> None:
    """They agree with scipy's to eight digits."""
    expected = stats.t.ppf(chance, freedom)
    assert t_quantile(chance, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_mean_of_equal_blocks_has_the_usual_interval() -> None:
    """With one trial a block it is Student's interval of a mean."""
    values = [3.0, 7.0, 7.5, 11.0, 2.0, 6.0]
    found = mean([(value, 1) for value in values])
    expected = stats.t.interval(0.95, 5, loc=sum(values) / 6, scale=stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx(expected)


def test_mean_of_unequal_blocks_by_hand() -> None:
    """Two blocks, of one and two: 8/3, residuals of 2/3 each way, so an error of 4/9."""
    found = mean([(2, 1), (6, 2)])
    assert found is not None
    assert found.value == pytest.approx(8 / 3)
    assert found.by == pytest.approx(12.706204736 * 4 / 9)


# the true rate, how many blocks of how many matches, and how often a match goes as its deal decides
CASES = [(0.5, 50, 2, 0.0), (0.5, 40, 2, 0.6), (0.78, 50, 2, 0.6), (0.25, 100, 4, 0.4)]


@pytest.mark.parametrize(
    ("runs", "least", "most"),
    [(200, 0.90, 0.99), pytest.param(2000, 0.93, 0.97, marks=pytest.mark.nightly)],
)
@pytest.mark.parametrize(("chance", "blocks", "size", "alike"), CASES)
def test_intervals_cover_the_truth(
    chance: float, blocks: int, size: int, alike: float, runs: int, least: float, most: float
) -> None:
    """Of 200 measurements 90 to 99 % hold the true rate, whether matches of a deal are alike."""
    rng = random.Random(runs)
    held = 0
    for _ in range(runs):
        sums = []
        for _ in range(blocks):
            deal = rng.random() < chance
            wins = sum(deal if rng.random() < alike else rng.random() < chance for _ in range(size))
            sums.append((wins, size))
        found = rate(sums)
        assert found is not None
        held += found.has(chance)
    assert least <= held / runs <= most
