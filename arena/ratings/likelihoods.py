"""How sure an order-free table is: 95 % intervals, and the likelihood that one bot is stronger.

A block is the unit of chance: its matches share a deal, and what they say together varies from
block to block. The means vary by the sandwich variance H⁻¹ B H⁻¹ (Huber, 1967), with H the observed
information and B the sum over blocks of the outer products of their scores, the gradients of their
log-likelihoods. It is what the bootstrap of the blocks tends to (the infinitesimal jackknife;
Efron, 1982). Two things are added to it:

- B is what the blocks showed, and a few blocks show little: whoever won everything would vary by
  nothing. So B is taken as what the model expects times how much more or less the blocks of a bot
  vary than that; and this ratio begins with the weight of some matches at that of all bots
  together, or at 1 if that is less.
- The prior score everybody towards the mean, and how far is not known: as much as the prior is
  sure of, H⁻¹ P H⁻¹.

Where results do not bound a bot (``bounds``), only the prior would, and so there is no end. All
distances are from the mean of those that bound one another: how far off others are adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from math import erfc, log, sqrt

from arena.ratings.bounds import Bounds, bounds
from arena.ratings.closed_form import BETA, SIGMA
from arena.ratings.fitted_table import ELO_PER_MU, WIDTH, Intervals, Table
from arena.ratings.order_free import OrderFree, Outcome
from arena.ratings.unexpected import unexpected_results

Block = tuple[Outcome, ...]  # the outcomes of one deal in all its seatings, sorted

_PRIOR_P = 1.0 / (SIGMA * SIGMA)
_MATCH = 0.64 / (2.0 * BETA * BETA)  # what a match of two equals says of the difference of them
_WEIGHT = 30 * _MATCH  # the weight of what the model expects of a bot's blocks
_UNLIKELY = log(0.025)
_FAR = 1000.0  # mu; nobody is so far off
_MANY = 150  # more bots than this are not compared with one another


def make_table(counts: Mapping[Block, int]) -> Table:
    """Fit a table to how often each kind of block was played."""
    fitted = OrderFree(match_counts(counts))
    sure = intervals(counts, fitted)
    unexpected = unexpected_results(counts, fitted)
    return Table(fitted.ratings(), sure, unexpected=unexpected)


def match_counts(blocks: Mapping[Block, float]) -> dict[Outcome, float]:
    """Return how often each outcome of a match is in some blocks."""
    counts: dict[Outcome, float] = {}
    for block, count in blocks.items():
        for outcome in block:
            counts[outcome] = counts.get(outcome, 0.0) + count
    return counts


def intervals(blocks: Mapping[Block, int], table: OrderFree) -> Intervals:
    """Return how sure a table is.

    It takes about 150 ns × (number of bots)³ for up to 150 bots, and little for more, whose
    intervals are a little too wide, and which are taken as independent.

    Args:
        blocks: how often each kind of block was played.
        table: the fit of ``match_counts(blocks)``.
    """
    hessian = table.hessian()
    information = list(hessian.diagonal)
    ratios = _ratios(blocks, table, information)
    place = {name: number for number, name in enumerate(table.names)}
    who = bounds(dict(zip(table.outcomes, table.counts, strict=True)))
    scale = ELO_PER_MU * ELO_PER_MU
    if len(place) > _MANY:
        alone = [
            scale * max(1.0, ratio) / p for ratio, p in zip(ratios, table.precision, strict=True)
        ]
        return Intervals(place, alone, (), *_reach(table, who, alone, ratios))
    # in the middle: D (H - P) D + P, where D² has the ratios on its diagonal
    roots = [sqrt(ratio) for ratio in ratios]
    middle = [
        [one * value * other for value, other in zip(row, roots, strict=True)]
        for row, one in zip(hessian.matrix(), roots, strict=True)
    ]
    for number, row in enumerate(middle):
        row[number] += _PRIOR_P
        hessian.diagonal[number] += _PRIOR_P
    answer = hessian.inverse()
    variance = _product(_product(answer, middle), answer)
    # the level of them all is not in question, only where each is above the mean of some
    group = [number for number, name in enumerate(table.names) if name in who.group]
    means = [sum([row[number] for number in group]) / len(group) for row in variance]
    mean = sum([means[number] for number in group]) / len(group) if group else 0.0
    shared = [
        [scale * (value - own - other + mean) for value, other in zip(row, means, strict=True)]
        for row, own in zip(variance, means, strict=True)
    ]
    variances = [row[number] for number, row in enumerate(shared)]
    shared = [row[:number] for number, row in enumerate(shared)]
    return Intervals(place, variances, shared, *_reach(table, who, variances, ratios))


def _reach(
    table: OrderFree, who: Bounds, variances: Sequence[float], ratios: Sequence[float]
) -> tuple[list[tuple[float | None, float | None]], list[float]]:
    """Return how far each interval reaches down and up, in Elo, and how far it does at least.

    Where one end is not known, the other one is no normal law's: it is not further out than where
    what happened, that the bot's group won (or lost) everything, has a chance of 2.5 %.
    """
    group_of = {name: group for group in who.groups for name in group}
    found: list[tuple[float | None, float | None]] = []
    least: list[float] = []
    gaps = _gaps(table, group_of, ratios)

    @cache
    def shift(group: tuple[str, ...], won: bool) -> float:
        return _unlikely_shift(gaps.get((group, won), ()), table.margin)

    for name, variance in zip(table.names, variances, strict=True):
        below, above = name in who.below, name in who.above
        by, unlikely_by = WIDTH * sqrt(variance), 0.0
        if below != above:
            group = group_of[name]
            others = 1.0 - len(who.group.intersection(group)) / len(who.group)
            unlikely_by = others * ELO_PER_MU * shift(group, below)
            by = max(by, unlikely_by)
        found.append((by if below else None, by if above else None))
        least.append(unlikely_by)
    return found, least


def _gaps(
    table: OrderFree, group_of: Mapping[str, tuple[str, ...]], ratios: Sequence[float]
) -> dict[tuple[tuple[str, ...], bool], list[tuple[float, float]]]:
    """Return per group and side (wins or losses) how far ahead who won is, and how often."""
    mu = dict(zip(table.names, table.mu, strict=True))
    ratio = dict(zip(table.names, ratios, strict=True))
    found: dict[tuple[tuple[str, ...], bool], list[tuple[float, float]]] = {}
    for (names, ranks), count in zip(table.outcomes, table.counts, strict=True):
        placed = list(zip(names, ranks, strict=True))
        for (one, better), (other, worse) in combinations(placed, 2):
            if better == worse or group_of[one] == group_of[other]:
                continue
            # of several players each pair says less than a match of the two
            weight = 2.0 * count / len(names)
            for name, won in ((one, True), (other, False)):
                gap = mu[one] - mu[other], weight / max(1.0, ratio[name])
                found.setdefault((group_of[name], won), []).append(gap)
    return found


def _unlikely_shift(gaps: Sequence[tuple[float, float]], margin: float) -> float:
    """Return how much less, in mu, makes the wins (or losses) of a group an unlikely chance."""
    low, high = 0.0, _FAR
    while high - low > 1e-6:
        middle = (low + high) / 2.0
        chance = sum(
            weight * log(max(1e-300, 0.5 * erfc((middle + margin - gap) / (2.0 * BETA))))
            for gap, weight in gaps
        )
        low, high = (middle, high) if chance > _UNLIKELY else (low, middle)
    return low


def _ratios(blocks: Mapping[Block, int], table: OrderFree, information: list[float]) -> list[float]:
    """Return per bot how much more (or less) its blocks vary than the model expects.

    Args:
        blocks: as for ``intervals``.
        table: the same.
        information: how much the model expects.
    """
    scores = table.scores()
    squares = [0.0] * len(information)
    for block, count in sorted(blocks.items()):
        score: dict[int, float] = {}
        for outcome in block:
            for player, slope in scores.get(outcome, ()):
                score[player] = score.get(player, 0.0) + slope
        for player, slope in score.items():
            squares[player] += count * slope * slope
    # the fit took as much of the variation away as there are numbers in it
    played = sum(blocks.values())
    left = max(1, played - len(information) + 1)
    squares = [square * played / left for square in squares]
    expected = _WEIGHT * 2.0  # each match is counted for two bots
    overall = (sum(squares) + expected) / (sum(information) + expected)
    begin = _WEIGHT * max(1.0, overall)
    pairs = zip(squares, information, strict=True)
    return [(square + begin) / (own + _WEIGHT) for square, own in pairs]


def _product(one: list[list[float]], other: list[list[float]]) -> list[list[float]]:
    """Multiply a matrix by a symmetric one."""
    return [
        [sum([a * b for a, b in zip(row, column, strict=True)]) for column in other] for row in one
    ]
