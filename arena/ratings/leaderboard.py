"""Where entrants stand → the rows of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf

from arena.ratings.closed_form import MU
from arena.ratings.fitted_table import CENTRE, ELO_PER_MU, Table, elo
from arena.ratings.fold import Standing, Standings
from arena.values.tables import LeaderboardRow, Rating

RATINGS = ("order-free", "trueskill")  # the first is what boards sort by without an option
DIGITS = 6  # scores that agree to so many decimals are equal
ELO_DIGITS = 2  # the same of Elo, which is settled to some 1e-4


def leaderboard_rows(
    standings: Standings,
    entrants: Mapping[str, tuple[str, int]],
    table: Table | None = None,
    anchor: tuple[str, float] | None = None,
    means: Mapping[str, float] | None = None,
) -> dict[str, LeaderboardRow]:
    """Rank entrants by score, by their names in the fold; equal ones stand by wins, then by name.

    Those without a match have the score of a beginner: as Elo, the mean that 1500 is for.

    Args:
        standings: a fold.
        entrants: name and version of the bot behind every name in the fold.
        table: the order-free table whose Elo is the score; ``None``: TrueSkill's mu - 3 sigma is.
        anchor: a name in the fold, of the table's group, and the Elo that it has.
        means: mean scores by name in the fold, if all played alone; then these are what ranks.
    """
    zero, fixed = MU if table is None else table.zero, None
    if table is not None and anchor is not None:
        fixed, its = anchor
        zero = table.ratings[fixed].mu - (its - CENTRE) / ELO_PER_MU
    kind = "trueskill" if table is None else "order-free"
    kind = kind if means is None else "mean-score"
    found: list[tuple[float, str, LeaderboardRow]] = []
    for key, (bot, version) in entrants.items():
        standing = standings.get(key, Standing())
        if table is None:
            rating = Rating(standing.mu, standing.sigma)
            score = round(rating.score, DIGITS)
            low = high = None
        else:
            known = table.ratings.get(key)
            rating = known or Rating()
            place = elo(rating.mu if known else table.zero, zero)
            score = round(place, ELO_DIGITS)
            ends = table.sure.ends(key, place, fixed)
            low, high = [None if end is None else round(end, ELO_DIGITS) for end in ends]
            if anchor is not None and key == fixed:
                score = low = high = anchor[1]
        ranks_by = score
        if means is not None:
            low = high = None
            ranks_by = means.get(key, -inf)
        games, answers = standing.games, standing.answers
        row = LeaderboardRow(
            rank=0,  # known once all are sorted
            bot=bot,
            version=version,
            # what rounds to nothing is 0, and not -0
            score=None if means is not None else score + 0.0,
            rating=kind,
            mu=round(rating.mu, DIGITS) + 0.0,
            sigma=round(rating.sigma, DIGITS),
            games=games,
            wins=standing.wins,
            draws=standing.draws,
            losses=standing.losses,
            mean_rank=round(standing.double_rank / 2 / games, DIGITS) if games else None,
            mean_ms=round(standing.charged_us / 1000 / answers, 3) if answers else None,
            faults=dict(sorted(standing.faults.items())),
            low=low,
            high=high,
            used_ms=standing.charged_us / 1000,
            mean_score=None if means is None else means.get(key),
            costs=standing.costs,
        )
        found.append((ranks_by, key, row))
    found.sort(key=lambda one: (-one[0], -one[2].wins, one[2].bot, one[2].version, one[1]))
    rows: list[LeaderboardRow] = []
    before = None
    for place, (ranks_by, _, row) in enumerate(found, start=1):
        rows.append(row._replace(rank=rows[-1].rank if ranks_by == before else place))
        before = ranks_by
    keys = [key for _, key, _ in found]
    return dict(zip(keys, with_likelihoods(rows, table, keys), strict=True))


def with_likelihoods(
    rows: Sequence[LeaderboardRow], table: Table | None, keys: Sequence[str] | None = None
) -> tuple[LeaderboardRow, ...]:
    """Return rows with the likelihood that each bot is stronger than that of the next row.

    Args:
        rows: in their order.
        table: the order-free table that the scores are of; ``None``: there are no likelihoods.
        keys: what the table calls the bots; ``None``: as the rows do.
    """
    if table is None:
        return tuple(rows)
    keys = [row.bot for row in rows] if keys is None else keys
    found: list[float | None] = [
        None
        if one.score is None or other.score is None
        else round(table.sure.superiority(*names, one.score - other.score), 4)
        for names, (one, other) in zip(pairwise(keys), pairwise(rows), strict=True)
    ]
    found += [None] * (len(rows) - len(found))
    return tuple([row._replace(los=los) for row, los in zip(rows, found, strict=True)])
