"""What is to be played: a format's schedule, or the rounds of an adaptive one as they are planned.

A round of an adaptive format is planned when every match before it is settled, from what is
committed alone, and is in the store before its first match is played. From then on its pairings
stay, whatever becomes of matches and entrants, and so do the points of the rounds before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from arena.model import Leaderboard, LeaderboardRow, Record, Round, Tournament
from arena.schedule.formats import find_format
from arena.schedule.interface import AdaptiveFormat
from arena.schedule.plan import Past, Place, Plan, Planned, Points, score
from arena.store import Edition, Store
from arena.store.patience import patiently

__all__ = ["next_round", "placed", "planned_rounds", "read_rounds"]


def next_round(
    store: Store,
    edition: int,
    tournament: Tournament,
    entrants: tuple[str, ...],
    *,
    settled: int,
    records: Iterable[Record],
    since: Mapping[str, int | None],
) -> Round | None:
    """Return the schedule as far as it is known, or ``None`` when all of it is settled.

    Args:
        store: where rounds are kept.
        edition: ``Edition.id``.
        tournament: the rules of it.
        entrants: those who are entered; the best seed first, where that matters.
        settled: how many matches from the start on are settled without a gap.
        records: those of these matches, for formats that need them.
        since: who is out, and from which match on; see ``score``.
    """
    format_ = find_format(tournament.format)
    if not isinstance(format_, AdaptiveFormat):
        return format_.next_round(tournament, entrants, settled, records)
    while True:
        stored = store.rounds.all(edition)
        plans = [Plan.from_text(each.plan) for each in stored]
        schedule = Planned(tournament, plans)
        if settled < len(schedule):
            return schedule
        past = [Past.from_texts(*each) for each in stored[:-1]]
        points = ""
        if plans:
            past.append(Past(plans[-1], _brought(store, edition, plans, schedule, since)))
            points = past[-1].points_text()
        plan = format_.plan(tournament, entrants, past, since)
        # the last round again, as a match that was undecided may have been played since
        if plan is not None or (stored and stored[-1].points != points):
            text = None if plan is None else plan.to_text()
            patiently("the next round", store.rounds.go_on, edition, points, text)
        if plan is None:
            return None


def read_rounds(store: Store, edition: int) -> tuple[list[Past], Plan | None]:
    """Return the rounds that are over, and the one that is under way, if there is one."""
    stored = store.rounds.all(edition)
    past = [Past.from_texts(*each) for each in stored if each.points]
    under_way = [Plan.from_text(each.plan) for each in stored if not each.points]
    return past, under_way[0] if under_way else None


def planned_rounds(store: Store, edition: int, tournament: Tournament) -> Planned:
    """Return the matches of all rounds that were planned so far."""
    plans = [Plan.from_text(each.plan) for each in store.rounds.all(edition)]
    return Planned(tournament, plans)


def placed(store: Store, edition: Edition, board: Leaderboard) -> Leaderboard:
    """Return a leaderboard as an adaptive format has it; those it holds equal stand as before."""
    format_ = find_format(json.loads(edition.config)["format"])
    if not isinstance(format_, AdaptiveFormat):
        return board
    places = format_.places(*read_rounds(store, edition.id))
    rows = [(places.get(row.bot, Place(Fraction(-1))), row) for row in board.rows]
    rows.sort(key=lambda item: -item[0].key)
    found: list[LeaderboardRow] = []
    before: tuple[Fraction, int] | None = None
    for number, (place, row) in enumerate(rows, start=1):
        standing = (place.key, row.rank)
        rank = found[-1].rank if standing == before else number
        points = None if place.points is None else float(place.points)
        found.append(row._replace(rank=rank, points=points, reached=place.reached))
        before = standing
    return board._replace(rows=tuple(found))


def _brought(
    store: Store,
    edition: int,
    plans: Sequence[Plan],
    schedule: Planned,
    since: Mapping[str, int | None],
) -> Points:
    """Return the points of the last round, whose matches are settled."""
    last = len(plans) - 1
    found = store.rounds.results(edition, schedule.starts[last])
    results = {number: (seats, ranks) for number, seats, ranks in found}
    return score(plans[last], list(schedule.of_round(last)), results, since)
