"""Rates and means with intervals, where what varies independently is a block of matches.

Matches of one block share a deal, so they are not independent, and an interval that takes them one
by one is too narrow. Here every block brings two numbers, a sum and what it is a share of, and the
error comes from how much blocks differ (linearised variance of a ratio; Cochran, *Sampling
Techniques*, 3rd edition, section 6.3). Quantiles are Student's, with one degree of freedom less
than blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import atan, exp, inf, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95
EPSILON = 1e-11  # of a quantile, relative


class Estimate(NamedTuple):
    """A value with the ends of its interval."""

    value: float
    low: float
    high: float

    @property
    def by(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def has(self, value: float) -> bool:
        """Return whether the interval holds a value."""
        return self.low <= value <= self.high


def mean(blocks: Iterable[tuple[float, float]], level: float = LEVEL) -> Estimate:
    """Return the ratio of two sums over blocks; the second sum must be above 0.

    Args:
        blocks: for each block a sum, such as the actions of its matches, and what it is shared by,
            such as the number of these matches. Blocks that have 0 there are left out.
        level: the share of such intervals that hold the true value.

    With a single block the interval is infinite.

    >>> mean([(10, 1), (20, 1), (30, 1)]).value
    20.0
    """
    kept = [(float(part), float(whole)) for part, whole in blocks if whole]
    value, error = ratio(kept)
    by = inf if error == inf else t_quantile((1 + level) / 2, len(kept) - 1) * error
    return Estimate(value, value - by, value + by)


def rate(blocks: Iterable[tuple[float, float]], level: float = LEVEL) -> Estimate:
    """Return a share of 0 to 1, as ``mean`` does, with an interval that stays between 0 and 1.

    It is Wilson's interval for as many independent trials as would vary like these blocks (the
    *effective* number: Dean and Pagano, *Journal of Survey Statistics and Methodology* 3, 2015).
    There are never more of them than trials; where blocks do not vary at all because every trial
    went the same way, one a block. A part may be a fraction, such as 1/2 for a draw.

    >>> round(rate([(1, 1)] * 10).low, 2), rate([(1, 1)] * 10).high
    (0.66, 1.0)
    """
    kept = [(float(part), float(whole)) for part, whole in blocks if whole]
    value, error = ratio(kept)
    if len(kept) == 1:
        return Estimate(value, 0.0, 1.0)
    spread = max(0.0, value * (1.0 - value))
    if spread == 0.0:
        trials = float(len(kept))
    else:
        trials = sum(whole for _, whole in kept)
        if error > 0.0:
            trials = min(trials, spread / error**2)
    t2 = t_quantile((1 + level) / 2, len(kept) - 1) ** 2
    centre = (value + t2 / (2 * trials)) / (1 + t2 / trials)
    by = sqrt(t2 * (spread / trials + t2 / (4 * trials**2))) / (1 + t2 / trials)
    low = 0.0 if value == 0.0 else max(0.0, centre - by)
    high = 1.0 if value == 1.0 else min(1.0, centre + by)
    return Estimate(value, low, high)


@lru_cache(maxsize=256)
def t_quantile(chance: float, freedom: int) -> float:
    """Return the value below which Student's t lies with a chance of 0.5 or more, below 1.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    assert 0.5 <= chance < 1.0
    assert freedom > 0
    t, root = NormalDist().inv_cdf(chance), sqrt(freedom)
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / (root * sqrt(pi))
    by = inf
    while by > EPSILON * t:  # Newton's steps, which lead to it from below
        density = scale * exp(-(freedom + 1) / 2 * log1p(t * t / freedom))
        by = (chance - _below(t, freedom)) / density
        t += by
    return t


def ratio(blocks: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the ratio of the sums and its standard error, infinite with a single block."""
    count, total = len(blocks), sum(whole for _, whole in blocks)
    value = sum(part for part, _ in blocks) / total
    if count < 2:
        return value, inf
    squares = sum((part - value * whole) ** 2 for part, whole in blocks)
    return value, sqrt(count / (count - 1) * squares) / total


def _below(t: float, freedom: int) -> float:
    """Return the chance that Student's t lies below a value of 0 or more.

    It is a finite sum (M. Abramowitz and I. Stegun, *Handbook of Mathematical Functions*, 26.7.3
    and 26.7.4).
    """
    angle, odd = atan(t / sqrt(freedom)), freedom % 2
    square = freedom / (freedom + t * t)  # of the cosine
    total, term = 0.0, sqrt(square) if odd else 1.0
    for factor in range(2 + odd, freedom + 1, 2):
        total += term
        term *= square * (factor - 1) / factor
    inside = (angle + sin(angle) * total) * 2.0 / pi if odd else sin(angle) * total
    return 0.5 + 0.5 * inside
