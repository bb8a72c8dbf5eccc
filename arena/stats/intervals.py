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
from math import exp, inf, lgamma, log, log1p, sqrt
from typing import NamedTuple

LEVEL = 0.95
TINY = 1e-300  # stands for 0 in the continued fraction
EPSILON = 1e-15


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


def mean(blocks: Iterable[tuple[float, float]], level: float = LEVEL) -> Estimate | None:
    """Return the ratio of two sums over blocks; ``None`` if the second one is 0.

    Args:
        blocks: for each block a sum, such as the actions of its matches, and what it is shared by,
            such as the number of these matches. Blocks that have 0 there are left out.
        level: the share of such intervals that hold the true value.

    With a single block the interval is infinite.

    >>> mean([(10, 1), (20, 1), (30, 1)]).value
    20.0
    """
    kept = [(float(part), float(whole)) for part, whole in blocks if whole]
    if not kept:
        return None
    value, error = ratio(kept)
    by = inf if error == inf else t_quantile((1 + level) / 2, len(kept) - 1) * error
    return Estimate(value, value - by, value + by)


def rate(blocks: Iterable[tuple[float, float]], level: float = LEVEL) -> Estimate | None:
    """Return a share of 0 to 1, as ``mean`` does, with an interval that stays between 0 and 1.

    It is Wilson's interval for as many independent trials as would vary like these blocks (the
    *effective* number: Dean and Pagano, *Journal of Survey Statistics and Methodology* 3, 2015).
    There are never more of them than trials; where blocks do not vary at all because every trial
    went the same way, one a block. A part may be a fraction, such as 1/2 for a draw.

    >>> round(rate([(1, 1)] * 10).low, 2), rate([(1, 1)] * 10).high
    (0.66, 1.0)
    """
    kept = [(float(part), float(whole)) for part, whole in blocks if whole]
    if not kept:
        return None
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
    low, high = 0.0, 1.0
    while _below(high, freedom) < chance:
        high *= 2.0
    while high - low > EPSILON * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        low, high = (middle, high) if _below(middle, freedom) < chance else (low, middle)
    return high


def ratio(blocks: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the ratio of the sums and its standard error, infinite with a single block."""
    count, total = len(blocks), sum(whole for _, whole in blocks)
    value = sum(part for part, _ in blocks) / total
    if count < 2:
        return value, inf
    squares = sum((part - value * whole) ** 2 for part, whole in blocks)
    return value, sqrt(count / (count - 1) * squares) / total


def _below(t: float, freedom: int) -> float:
    """Return the chance that Student's t lies below a value of 0 or more."""
    return 1.0 - 0.5 * _beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) (DLMF 8.17)."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    front = exp(a * log(x) + b * log1p(-x) - (lgamma(a) + lgamma(b) - lgamma(a + b)))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz."""
    c, d = 1.0, 1.0 / ((1.0 - (a + b) * x / (a + 1.0)) or TINY)
    value = d
    m = 1
    while True:
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / ((1.0 + even * d) or TINY)
        c = (1.0 + even / c) or TINY
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1.0 / ((1.0 + odd * d) or TINY)
        c = (1.0 + odd / c) or TINY
        value *= d * c
        if abs(d * c - 1.0) < EPSILON:
            return value
        m += 1
