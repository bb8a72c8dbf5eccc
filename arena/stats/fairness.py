"""Matches of one game → how fair it is to its seats, and what it is like to play.

*Mirror matches* have equal bots in all seats: whatever one seat wins more than another is the
game's doing. *Mixed matches* have a bot in one seat and another bot in all the rest; they show how
much it matters who plays. Blocks are the unit of chance (``intervals``): the matches of a block
share a deal.

While the bots show no chance, a deal that was played before adds nothing (``copies``): the matches
of its second block are left out of every number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import ceil, hypot, inf, isinf
from typing import NamedTuple

from arena.stats.intervals import LEVEL, Estimate, mean, rate, ratio
from arena.stats.scores import elo_of_score, match_score
from arena.stats.shape_of_games import PlayedMatch, Shape, Spread, shape_of, spread
from arena.stats.weights import Weights, seated

NEAR = 0.05  # from a fair share of wins: an advantage that is called little


class Fairness(StrEnum):
    """What mirror matches say of a game's fairness, at the strength of their bots."""

    FAIR = "fair"  # every seat's interval holds the fair share, and lies near it
    LITTLE = "little advantage"  # some seat's does not hold it, yet its share is near it
    UNFAIR = "unfair"
    UNSETTLED = "unsettled"  # too few matches
    UNDECIDED = "undecided"  # no game had one winner: it may be fair, or broken between equals
    ALONE = "alone"  # a game for one


class Balance(NamedTuple):
    """What mirror matches show.

    Attributes:
        players: how many seats there are.
        matches: how many were played.
        distinct: how many of them have weight.
        wins: for each seat its share of the decided matches, those with a single winner.
        expected: for each seat its mean share of the others that it beats, a draw counting half;
            1/2 is fair.
        level: the share of intervals like those of ``wins`` and ``expected`` that hold the truth.
        verdict: the result in a word, for ``seat``, whose share is furthest from a fair one.
        seat: the seat that the verdict is about, 0 in games for one.
        more: about how many more blocks settle it, if shares stay as they are; 0: it is settled.
        decided: the share of matches that had a single winner.
        drawn: the share in which all shared the first place.
        length: actions a match, those of the opening included.
        branching: legal actions to choose from, the mean over all actions.
        deal: the share (0 to 1) of the variance of results that lies between deals; the rest lies
            between matches of one deal. ``None`` where nothing varies, or no deal was played twice.
        kinds: the share of actions that were of each kind, the most frequent first.
        points: the mean score in a game for one, and ``points_spread`` how scores are spread;
            ``None`` in other games.
        shape: what the game is like to play.
    """

    players: int
    matches: int
    distinct: int
    wins: tuple[Estimate, ...] | None
    expected: tuple[Estimate, ...] | None
    level: float
    verdict: Fairness
    seat: int
    more: int
    decided: Estimate
    drawn: Estimate
    length: Estimate
    branching: Estimate
    deal: float | None
    kinds: tuple[tuple[str, float], ...]
    points: Estimate | None
    points_spread: Spread | None
    shape: Shape


class Skill(NamedTuple):
    """What mixed matches show of the bot that sits alone.

    Attributes:
        matches: how many were played.
        distinct: how many of them have weight.
        score: the mean share of opponents that it beat, a draw counting half.
        share: how much of the results follows from who plays: 0 if both do equally well, 1 if
            the same one always wins.
    """

    matches: int
    distinct: int
    score: Estimate
    share: float


class MirrorRow(NamedTuple):
    """What one bot against itself showed of one game.

    Of a block in which a match is ``faulty``, as a bot failed, or ``undecided``, as the arena could
    not play it, the others are left out as well: they are ``incomplete``. ``balance`` is ``None``
    where nothing is left. ``rounds`` were played, and one took the bots ``round_ms``, all of its
    matches together.
    """

    game: str
    bot: str
    balance: Balance | None
    rounds: int
    round_ms: float
    faulty: int
    undecided: int
    incomplete: int


class MixedRow(NamedTuple):
    """What ``bot`` in one seat against ``opponent`` in all others showed; see ``MirrorRow``.

    ``doubled``: the two differ in that ``bot`` has twice as many simulations.
    """

    game: str
    bot: str
    opponent: str
    skill: Skill | None
    rounds: int
    round_ms: float
    faulty: int
    undecided: int
    incomplete: int
    doubled: bool


def balance(matches: Sequence[PlayedMatch], looks: int = 1) -> Balance | None:
    """Return what mirror matches show, ``None`` if there are none.

    With more than two players each seat is looked at with a wider interval, so that all of them
    together are wrong about a fair game in no more than one case of twenty; so is each of several
    looks (Bonferroni).

    Args:
        matches: those of one game, with equal bots in all seats, in schedule order, whole blocks.
        looks: how often, at most, somebody looks whether it is settled, and else plays more.
    """
    if not matches:
        return None
    players = len(matches[0].ranks)
    distinct = _distinct(matches)
    # of each seat the share of the others that it beats, match by match
    results = [
        [(match.block, float(match_score(match.ranks, seat))) for match in distinct]
        for seat in range(players if players > 1 else 0)
    ]
    winners = [(match.block, match.winner) for match in distinct]
    decided = [(block, who) for block, who in winners if who is not None]
    level = 1 - (1 - LEVEL) / (looks * (players if players > 2 else 1))
    wins = None
    if decided and players > 1:
        each = [[(block, float(who == seat)) for block, who in decided] for seat in range(players)]
        wins = _shares(each, level)
    verdict, seat = _verdict(wins, players)
    more = 0
    if wins is not None and verdict is Fairness.UNSETTLED:
        more = _more(wins, len({match.block for match in distinct}))
    points = [match.scores[0] for match in distinct if players == 1 and match.scores]
    counts = Counter[str]()
    for match in distinct:
        counts.update(match.kinds)
    total = sum(counts.values()) or 1
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Balance(
        players=players,
        matches=len(matches),
        distinct=len(distinct),
        wins=wins,
        expected=_shares(results, level) if players > 1 else None,
        level=level,
        verdict=verdict,
        seat=seat,
        more=more,
        decided=rate(_sums((block, who is not None, 1) for block, who in winners)),
        drawn=rate(_sums((m.block, players > 1 and max(m.ranks) == 1, 1) for m in distinct)),
        length=mean(_sums((m.block, len(m.choices), 1) for m in distinct)),
        branching=mean(_sums((m.block, sum(m.choices), len(m.choices)) for m in distinct)),
        deal=_deal_share(results),
        kinds=tuple((kind, count / total) for kind, count in by_count),
        points=mean([(score, 1) for score in points]) if points else None,
        points_spread=spread(points) if points else None,
        shape=shape_of(distinct),
    )


def skill(matches: Sequence[tuple[int, PlayedMatch]]) -> Skill | None:
    """Return what mixed matches show, ``None`` if there are none.

    Args:
        matches: the seat of the bot that sits alone, and the match; in schedule order.
    """
    if not matches:
        return None
    seat_of = {id(match): seat for seat, match in matches}
    distinct = _distinct([match for _, match in matches])
    scores = [(m.block, float(match_score(m.ranks, seat_of[id(m)])), 1) for m in distinct]
    score = rate(_sums(scores))
    # leads are -1 to 1; the square of their mean is too large by the variance of that mean
    squares = sum((2 * value - 1) ** 2 for _, value, _ in scores) / len(scores)
    lead, error = ratio(_sums((block, 2 * value - 1, 1) for block, value, _ in scores))
    share = max(0.0, lead**2 - error**2) / squares if squares else 0.0
    return Skill(len(matches), len(distinct), score, share)


def elo_of(score: Estimate) -> Estimate:
    """Return a score as a difference on Elo's scale; where it is 0 or 1, that is infinite."""
    return Estimate(*map(elo_of_score, score))


def mean_elo(scores: Sequence[Estimate]) -> Estimate | None:
    """Return the mean of such differences, of matches that are independent.

    The interval is made of theirs as that of ``apart``. ``None``: there is none, or one of them is
    infinite.

    >>> mean_elo([Estimate(0.5, 0.5, 0.5), Estimate(0.5, 0.5, 0.5)])
    Estimate(value=0.0, low=0.0, high=0.0)
    """
    each = [elo_of(score) for score in scores]
    if not each or any(isinf(elo.value) for elo in each):
        return None
    count, value = len(each), sum(elo.value for elo in each) / len(each)
    below = hypot(*(elo.value - elo.low for elo in each)) / count
    return Estimate(value, value - below, value + hypot(*(e.high - e.value for e in each)) / count)


def apart(one: Estimate, other: Estimate) -> Estimate:
    """Return by how much one share is larger than another, of matches that are independent.

    The interval is made of those of the shares (R. G. Newcombe, "Interval estimation for the
    difference between independent proportions", 1998, method 10), and has their level.

    >>> [round(end, 2) for end in apart(Estimate(0.8, 0.7, 0.9), Estimate(0.5, 0.4, 0.6))]
    [0.3, 0.16, 0.44]
    """
    value = one.value - other.value
    return Estimate(
        value,
        value - hypot(one.value - one.low, other.high - other.value),
        value + hypot(one.high - one.value, other.value - other.low),
    )


def _distinct(matches: Sequence[PlayedMatch]) -> list[PlayedMatch]:
    """Return the matches with weight: those of blocks that are no copies."""
    blocks: dict[int, list[PlayedMatch]] = {}
    for match in matches:
        blocks.setdefault(match.block, []).append(match)
    weights: Weights[int] = Weights()
    for number, block in blocks.items():
        weights.add(number, [(None, match.moves_hash, seated(match.seats)) for match in block])
    return [match for match in matches if match.block in weights.counts]


def _shares(seats: Sequence[Sequence[tuple[int, float]]], level: float) -> tuple[Estimate, ...]:
    """Return the mean of each seat's results, which are given with their blocks."""
    return tuple(
        rate(_sums((block, result, 1) for block, result in results), level) for results in seats
    )


def _verdict(wins: Sequence[Estimate] | None, players: int) -> tuple[Fairness, int]:
    """Return what the shares of the seats amount to, and the seat that is furthest from fair."""
    if players == 1:
        return Fairness.ALONE, 0
    if wins is None:
        return Fairness.UNDECIDED, 0
    fair = 1 / players
    off = [abs(share.value - fair) for share in wins]
    unfair = [seat for seat, share in enumerate(wins) if not share.has(fair)]
    seat = max(unfair or range(players), key=lambda seat: (round(off[seat], 12), -seat))
    if unfair:
        return Fairness.LITTLE if off[seat] <= NEAR else Fairness.UNFAIR, seat
    near = all(fair - NEAR <= share.low and share.high <= fair + NEAR for share in wins)
    return Fairness.FAIR if near else Fairness.UNSETTLED, seat


def _more(wins: Sequence[Estimate], blocks: int) -> int:
    """Return about how many more blocks settle it, if all shares stay as they are.

    Intervals shrink with the root of the number of blocks. Either all of them come to lie near the
    fair share, or one of them comes to leave it.
    """
    fair = 1 / len(wins)
    near, leaves = 1.0, inf  # how many times as many blocks as now
    for share in wins:
        off, by = abs(share.value - fair), share.by
        near = max(near, (by / (NEAR - off)) ** 2 if off < NEAR else inf)
        leaves = min(leaves, (by / off) ** 2 if off > 0 else inf)
    return max(1, ceil(blocks * (min(near, leaves) - 1)))


def _deal_share(seats: Sequence[Sequence[tuple[int, float]]]) -> float | None:
    """Return the share of variance that lies between deals: the intraclass correlation.

    It is estimated by a one-way analysis of variance with blocks as groups, which may differ in
    size (Donner, *International Statistical Review* 54, 1986), summed over the seats.

    Args:
        seats: for each seat, block and result of every match.
    """
    between = within = 0.0
    for results in seats:
        groups: dict[int, list[float]] = {}
        for block, result in results:
            groups.setdefault(block, []).append(result)
        total, count = len(results), len(groups)
        if count < 2 or total == count:
            return None
        overall = sum(result for _, result in results) / total
        means = {block: sum(group) / len(group) for block, group in groups.items()}
        spread = sum(len(group) * (means[b] - overall) ** 2 for b, group in groups.items())
        rest = sum((result - means[block]) ** 2 for block, result in results)
        size = (total - sum(len(group) ** 2 for group in groups.values()) / total) / (count - 1)
        inside = rest / (total - count)
        within += inside
        between += (spread / (count - 1) - inside) / size
    between = max(0.0, between)
    if between + within == 0.0:
        return None
    return between / (between + within)


def _sums(items: Iterable[tuple[int, float, float]]) -> list[tuple[float, float]]:
    """Return, for each block, what its matches bring, summed up."""
    sums: dict[int, tuple[float, float]] = {}
    for block, part, whole in items:
        before = sums.get(block, (0.0, 0.0))
        sums[block] = (before[0] + part, before[1] + whole)
    return list(sums.values())
