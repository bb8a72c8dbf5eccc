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
    alike: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}  # few are different
    for _, names, ranks, faults, answers, charged_us, costs, *_ in results:
        alike[names, ranks] = alike.get((names, ranks), 0) + 1
        standings = [table[name] for name in names]
        if len(names) == 2:
            a, b = standings if ranks[0] <= ranks[1] else standings[::-1]
            drawn = ranks[0] == ranks[1]
            a.mu, a.sigma, b.mu, b.sigma = rate_pair(a.mu, a.sigma, b.mu, b.sigma, drawn)
        elif len(names) > 2:  # alone there is nobody to be better than
            _rate_many(names, standings, ranks)
        for standing, count, us in zip(standings, answers, charged_us, strict=True):
            standing.answers += count
            standing.charged_us += us
        for seat, code in faults:
            counts = table[names[seat]].faults
            counts[code] = counts.get(code, 0) + 1
        for name, more in zip(names, costs, strict=False):
            table[name].costs = all_of((table[name].costs, more))
    for (names, ranks), times in alike.items():
        firsts = ranks.count(1)
        for name, rank in zip(names, ranks, strict=True):
            standing = table[name]
            double = 2 * sum([other < rank for other in ranks]) + ranks.count(rank) + 1
            standing.double_rank += times * double
            standing.wins += times * (rank == firsts == 1)
            standing.draws += times * (rank == 1 < firsts)
            standing.losses += times * (rank != 1)
    return dict(table)


def _rate_many(names: tuple[str, ...], standings: list[Standing], ranks: tuple[int, ...]) -> None:
    order = sorted(range(len(names)), key=names.__getitem__)
    beliefs = [(standings[seat].mu, standings[seat].sigma) for seat in order]
    rated = rate_players(beliefs, [ranks[seat] for seat in order])
    if all(isfinite(mu) and isfinite(sigma) for mu, sigma in rated):
        for seat, (mu, sigma) in zip(order, rated, strict=True):
            standings[seat].mu, standings[seat].sigma = mu, sigma
