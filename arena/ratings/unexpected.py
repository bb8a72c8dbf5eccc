"""Pairs of bots whose results against each other are not what the order-free fit expects."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import ceil, erfc, exp, inf, lgamma, log, sqrt

from arena.ratings.closed_form import DEVIATION
from arena.ratings.order_free import OrderFree, Outcome
from arena.values.tables import Unexpected

LEAST_BLOCKS = 20  # that a pair has played
CHANCE = 0.001  # of one such pair or more in a table in which everybody plays as the fit expects


def unexpected_results(
    blocks: Mapping[tuple[Outcome, ...], int], table: OrderFree
) -> tuple[Unexpected, ...]:
    """Return the pairs with a result too unlikely to be chance, the most unlikely first.

    A block is the unit of chance, as its matches share a deal: its score is from 0 to 1, with the
    mean that the fit expects of a match. How unlikely the sum of the scores is, up or down, is
    bounded by ``tail_bound``, twice; and that times the number of pairs that are looked at is below
    ``CHANCE`` (Bonferroni). A pair's own blocks are part of the fit and pull the expected score
    towards their own, so the bound is rather too high than too low.

    Args:
        blocks: how often each kind of block was played; copies without weight are not in it.
        table: the fit of their matches.
    """
    mu = dict(zip(table.names, table.mu, strict=True))
    found: list[tuple[float, Unexpected]] = []
    pairs = [(names, met) for names, met in _meetings(blocks).items() if met[0] >= LEAST_BLOCKS]
    for (one, other), (count, scores, games, points) in pairs:
        if scores < count * _expected(mu[one] - mu[other], table.margin):
            one, other, scores, points = other, one, count - scores, games - points
        mean = _expected(mu[one] - mu[other], table.margin)
        chance = 2.0 * tail_bound(int(count), mean, scores)
        if chance * len(pairs) < CHANCE:
            result = Unexpected(one, other, points, int(games), round(games * mean, 1))
            found.append((chance, result))
    return tuple([result for _, result in sorted(found)])


def _meetings(
    blocks: Mapping[tuple[Outcome, ...], int],
) -> dict[tuple[str, str], tuple[float, float, float, float]]:
    """Return for each pair its blocks and the first one's scores in them, its matches and points.

    The first of a pair is the first by name. The better rank has a point, equal ranks a half.
    """
    found: dict[tuple[str, str], tuple[float, float, float, float]] = {}
    for block, times in blocks.items():
        ranks = [dict(zip(*outcome, strict=True)) for outcome in block]
        for pair in combinations(sorted(ranks[0]), 2):
            gaps = [rank[pair[1]] - rank[pair[0]] for rank in ranks]
            points = sum([1.0 if gap > 0 else 0.5 if gap == 0 else 0.0 for gap in gaps])
            new = (1.0, points / len(block), len(block), points)
            before = found.get(pair, (0.0, 0.0, 0.0, 0.0))
            more = [one + times * by for one, by in zip(before, new, strict=True)]
            found[pair] = more[0], more[1], more[2], more[3]
    return found


def _expected(gap: float, margin: float) -> float:
    """Return the expected score of a match: a win is 1, a draw a half.

    Args:
        gap: of the two skills, in mu.
        margin: within which performances draw.
    """
    below, above = [erfc(-(gap + by) / (DEVIATION * sqrt(2.0))) for by in (-margin, margin)]
    return 0.25 * (below + above)


def tail_bound(count: int, mean: float, total: float) -> float:
    """Return an upper bound of the probability that numbers from 0 to 1 add up to so much.

    The numbers are independent; nothing else is assumed of them. Those vary most that are 0 or 1,
    all with one chance: a convex function of the sum has its greatest mean if the sum is binomial,
    B (Hoeffding, "On the distribution of the number of successes in independent trials", 1956,
    theorem 3). So by Markov's inequality the probability is at most E max(B - k, 0) / (total - k),
    for each k below the total. The least of these is returned: at most e times the probability of B
    itself (Bentkus, "On Hoeffding's inequalities", 2004).

    Args:
        count: how many numbers there are.
        mean: the mean of their means, above 0.
        total: what they add up to, or more.

    >>> round(1024 * tail_bound(10, 0.5, 10.0), 6)  # all of ten coins
    1.0
    """
    p, q = mean, 1.0 - mean
    if total <= count * mean or q <= 0.0:
        return 1.0
    k = ceil(total) - 1
    ways = lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)
    at = exp(ways + k * log(p) + (count - k) * log(q))  # the probability of B = k
    above = excess = 0.0  # the probability of B > k, and E max(B - k, 0)
    term = at
    for j in range(k + 1, count + 1):
        term *= (count - j + 1) / j * p / q
        above += term
        excess += (j - k) * term
        if term < 1e-18 * above:
            break
    least = inf
    while k >= 0 and (bound := excess / (total - k)) < least:  # it falls, and then only rises
        least = bound
        above += at
        excess += above
        at *= k / (count - k + 1) * q / p
        k -= 1
    return min(1.0, least)
