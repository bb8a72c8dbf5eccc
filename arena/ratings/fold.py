"""Results in schedule order → where every entrant stands: ratings and counts in one pass.

A rating depends on the order of results, and so results are folded in schedule order, whenever
they came in. A fold can be kept as text and gone on with later: every float is then the same as if
all had been folded at once.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from math import isfinite

from arena.ratings.closed_form import MU, SIGMA, rate_pair
from arena.ratings.message_passing import rate_players
from arena.values.costs import NO_COSTS, Costs, all_of
from arena.values.tables import MatchRow


@dataclass(slots=True)
class Standing:
    """What one entrant has achieved so far.

    A win is the only first rank, a draw a shared first rank, anything else a loss. ``double_rank``
    sums twice the mean rank, where two that share the first rank have 1.5 each. ``answers`` are
    decisions answered, ``charged_us`` the microseconds charged for them, ``costs`` what they cost.
    """

    mu: float = MU
    sigma: float = SIGMA
    wins: int = 0
    draws: int = 0
    losses: int = 0
    double_rank: int = 0
    answers: int = 0
    charged_us: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    costs: Costs = NO_COSTS

    @property
    def games(self) -> int:
        """Matches counted."""
        return self.wins + self.draws + self.losses


Standings = dict[str, Standing]
"""Where entrants stand, by name: a fold."""


def standings_text(standings: Standings) -> str:
    """Write a fold; ``read_standings`` gives it back, float by float."""
    table = {name: astuple(standing) for name, standing in standings.items()}
    return json.dumps(table, separators=(",", ":"))


def read_standings(text: str | bytes) -> Standings:
    """Read a fold."""
    return {
        name: replace(Standing(*values), costs=Costs._make(values[-1]))
        for name, values in json.loads(text).items()
    }


def fold(results: Iterable[MatchRow], start: Standings | None = None) -> Standings:
    """Go on from ``start``, which is used up, with more results in schedule order.

    Who shares a rank is compared in the order of names. A rating that cannot be computed stays as
    it was.
    """
    table = defaultdict(Standing, start or {})
    for _, names, ranks, faults, answers, charged_us, costs, *_ in results:
        if len(names) == 2:
            a, b = table[names[0]], table[names[1]]
            _add_two(a, b, ranks)
            a.answers += answers[0]
            b.answers += answers[1]
            a.charged_us += charged_us[0]
            b.charged_us += charged_us[1]
        else:
            standings = [table[name] for name in names]
            _add_many(names, standings, ranks)
            for standing, count, us in zip(standings, answers, charged_us, strict=True):
                standing.answers += count
                standing.charged_us += us
        for seat, code in faults:
            counts = table[names[seat]].faults
            counts[code] = counts.get(code, 0) + 1
        for name, more in zip(names, costs, strict=False):
            table[name].costs = all_of((table[name].costs, more))
    return dict(table)


def _add_two(a: Standing, b: Standing, ranks: tuple[int, ...]) -> None:
    """Do what ``_add_many`` does, for the two players that most games have, in a third of time."""
    rank_a, rank_b = ranks
    if rank_a == rank_b:
        drawn = True
        a.double_rank += 3
        b.double_rank += 3
        if rank_a == 1:
            a.draws += 1
            b.draws += 1
        else:
            a.losses += 1
            b.losses += 1
    else:
        drawn = False
        if rank_a > rank_b:
            a, b = b, a
        a.wins += 1
        a.double_rank += 2
        b.losses += 1
        b.double_rank += 4
    a.mu, a.sigma, b.mu, b.sigma = rate_pair(a.mu, a.sigma, b.mu, b.sigma, drawn)


def _add_many(names: tuple[str, ...], standings: list[Standing], ranks: tuple[int, ...]) -> None:
    firsts = ranks.count(1)
    for standing, rank in zip(standings, ranks, strict=True):
        standing.double_rank += 2 * sum([other < rank for other in ranks]) + ranks.count(rank) + 1
        if rank != 1:
            standing.losses += 1
        elif firsts == 1:
            standing.wins += 1
        else:
            standing.draws += 1
    if len(names) < 2:  # alone there is nobody to be better than
        return
    order = sorted(range(len(names)), key=names.__getitem__)
    beliefs = [(standings[seat].mu, standings[seat].sigma) for seat in order]
    rated = rate_players(beliefs, [ranks[seat] for seat in order])
    if all(isfinite(mu) and isfinite(sigma) for mu, sigma in rated):
        for seat, (mu, sigma) in zip(order, rated, strict=True):
            standings[seat].mu, standings[seat].sigma = mu, sigma
