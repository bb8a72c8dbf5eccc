"""How sure an order-free table is: the same fit over blocks drawn again, many times.

A block is the unit of chance: its matches share a deal, and so they are drawn together or not at
all (Efron, 1979). How often a kind of block is drawn follows Poisson's law around how often it was
played, which is the bootstrap with a total that varies as well. A table drawn again differs little
from the table itself, so a step or two from there is enough.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from math import erf, exp, sqrt
from typing import NamedTuple

from arena.ratings.order_free import ELO_PER_MU, OrderFree, Outcome

__all__ = ["Block", "Spread", "match_counts", "spread"]

Block = tuple[Outcome, ...]  # the outcomes of one deal in all its seatings, in their order

DRAWS = 200
SEED = 20  # any would do; it is the same for everybody, so that a table has one set of intervals
WIDTH = 1.959964  # standard deviations on either side of the mean that hold 95 % of a normal law
STEPS = 2

_LARGE = 50  # from so many on, Poisson's law is drawn as a normal one


class Spread(NamedTuple):
    """A table drawn again: how far everybody's Elo moves, alone and against one another.

    Attributes:
        elo: per name, its Elo in each table drawn again minus their mean.
        doubt: per name, the standard deviation that is added because nothing could vary: whoever
            won everything (or nothing) does so in every table drawn again.
    """

    elo: Mapping[str, tuple[float, ...]]
    doubt: Mapping[str, float]

    def plus_minus(self, name: str) -> float:
        """Return half the width of a 95 % interval, in Elo."""
        return WIDTH * sqrt(_variance(self.elo[name]) + self.doubt[name] ** 2)

    def superiority(self, name: str, other: str, gap: float) -> float:
        """Return the likelihood (0 to 1) that a bot is stronger than another.

        Args:
            name: the one.
            other: the other.
            gap: the Elo that the one is ahead in the table.
        """
        both = [a - b for a, b in zip(self.elo[name], self.elo[other], strict=True)]
        variance = _variance(both) + self.doubt[name] ** 2 + self.doubt[other] ** 2
        if variance <= 0.0:
            return 0.5 if gap == 0.0 else float(gap > 0.0)
        return 0.5 + 0.5 * erf(gap / sqrt(2.0 * variance))


def match_counts(blocks: Mapping[Block, float]) -> dict[Outcome, float]:
    """Return how often each outcome of a match is in some blocks."""
    counts: dict[Outcome, float] = {}
    for block, count in blocks.items():
        for outcome in block:
            counts[outcome] = counts.get(outcome, 0.0) + count
    return counts


def spread(blocks: Mapping[Block, int], table: OrderFree, draws: int = DRAWS) -> Spread:
    """Draw a table again and again.

    Args:
        blocks: how often each kind of block was played.
        table: the fit of ``match_counts(blocks)``.
        draws: how many times; the intervals are right to some 1 / sqrt(2 * draws) of their width.
    """
    rng = random.Random(SEED)
    known = sorted(blocks.items())
    drawn: list[list[float]] = []
    for _ in range(draws):
        counts: dict[Outcome, float] = {}
        for block, count in known:
            times = _poisson(count, rng)
            if times:
                for outcome in block:
                    counts[outcome] = counts.get(outcome, 0.0) + times
        drawn.append(table.means_with(counts, STEPS))
    elo: dict[str, tuple[float, ...]] = {}
    for name, means in zip(table.names, zip(*drawn, strict=True), strict=True):
        mean = sum(means) / draws
        elo[name] = tuple([ELO_PER_MU * (mu - mean) for mu in means])
    monotone = _of_one_kind(table.outcomes)
    doubt = {
        name: ELO_PER_MU * rating.sigma if name in monotone else 0.0
        for name, rating in table.ratings().items()
    }
    return Spread(elo, doubt)


def _of_one_kind(outcomes: list[Outcome]) -> set[str]:
    """Return the names of those who always stood first alone, or never above anybody."""
    best: dict[str, set[bool]] = {}
    for names, ranks in outcomes:
        for name, rank in zip(names, ranks, strict=True):
            seen = best.setdefault(name, set())
            above = any(rank < other for other in ranks)
            below = any(rank > other for other in ranks)
            level = ranks.count(rank) > 1
            if above or level:
                seen.add(True)
            if below or level:
                seen.add(False)
    return {name for name, seen in best.items() if len(seen) == 1}


def _variance(values: tuple[float, ...] | list[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


_tables: dict[int, list[float]] = {}


def _poisson(mean: int, rng: random.Random) -> int:
    """Return a random number of Poisson's law, from ``Random.random`` alone."""
    if mean >= _LARGE:
        # the sum of twelve uniform numbers is all but normal, with a variance of 1
        normal = sum([rng.random() for _ in range(12)]) - 6.0
        return max(0, round(mean + sqrt(mean) * normal))
    table = _tables.get(mean)
    if table is None:
        chance, chances = exp(-mean), []
        for number in range(4 * mean + 20):
            chances.append(chance)
            chance *= mean / (number + 1)
        table = _tables[mean] = list(accumulate(chances))
    return bisect_right(table, rng.random())
