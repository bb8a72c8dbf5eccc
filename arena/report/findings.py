"""What a tournament found, in a few sentences: who won or leads, by how much, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from arena.report.bracket_text import score_text
from arena.report.site_values import Site
from arena.values.tables import LeaderboardRow
from arena.values.words import count, listed

SURE = 0.95  # of the order of two neighbours
_PAIRS = 3  # with an unexpected result that are named
_NEARLY = 0.999  # beyond it the likelihood, of four digits, says too little of the interval


def findings(site: Site) -> list[str]:
    """Return sentences for the top of a report, the most important one first."""
    played = [row for row in site.board.rows if row.games]
    if len(played) < 2:
        return []
    return [*_placed(site), *_ahead(played), *_doubts(played), *_unexpected(site)]


def _placed(site: Site) -> list[str]:
    """Return who won a knockout, or leads a Swiss tournament; nothing of other formats."""
    first = site.board.rows[0]
    if first.reached == "winner":
        _, (final,) = site.rounds[-1]
        beaten = listed([bot for bot in final.entrants if bot != first.bot])
        points = sorted(final.points, reverse=True)
        score = f" {score_text(points)}" if len(set(points)) > 1 else ""
        return [f"{first.bot} won the knockout, the final against {beaten}{score}."]
    if first.points is not None:
        shared = [row.bot for row in site.board.rows if row.points == first.points]
        who = listed(shared) if len(shared) < 4 else f"{len(shared)} bots"
        verb = "leads" if len(shared) == 1 else "lead"
        return [f"{who} {verb} with {first.points:.10g} points."]
    return []


def _ahead(rows: Sequence[LeaderboardRow]) -> list[str]:
    """Return how far the best is ahead of the next, and how sure that is, by Elo."""
    first, second = sorted(rows, key=lambda row: -(row.score or 0.0))[:2]
    if first.score is None or second.score is None or first.rating != "order-free":
        return []
    gap = first.score - second.score
    if first.losses == first.draws == 0:
        return [f"{first.bot} won all of its {count(first.games, 'match')}."]
    if first.score == second.score:
        return [f"{first.bot} and {second.bot} share the first place of the rating."]
    neighbours = rows.index(second) == rows.index(first) + 1
    if not neighbours or first.los is None:
        return [f"{first.bot} is {gap:.0f} Elo ahead of {second.bot}."]
    width = ""
    if 0.5 < first.los < _NEARLY:  # the likelihood is that of a normal gap above 0
        deviation = gap / NormalDist().inv_cdf(first.los)
        width = f" ± {NormalDist().inv_cdf(0.975) * deviation:.0f}"
    sure = "more than 99.9" if first.los >= _NEARLY else f"{100 * first.los:.3g}"
    return [f"{first.bot} is {gap:.0f}{width} Elo ahead of {second.bot}; {sure} % sure."]


def _doubts(rows: Sequence[LeaderboardRow]) -> list[str]:
    """Return how many places may be the other way round."""
    known = [row.los for row in rows if row.los is not None]
    unsure = sum(los < SURE for los in known)
    if not unsure or len(known) < 2:
        return []
    return [f"Of {len(known)} pairs of neighbours in the table {unsure} are less than 95 % sure."]


def _unexpected(site: Site) -> list[str]:
    """Return the pairs whose results are too unlikely to be chance, by facts alone."""
    found = [
        f"{row.bot} scored {row.points:.10g} of {row.games} against {row.opponent}, expected "
        f"{row.expected:.1f}."
        for row in site.cross.unexpected
    ]
    named, more = found[:_PAIRS], len(found) - _PAIRS
    return [*named, f"Unexpected as well: {count(more, 'more pair')}."] if more > 0 else named
