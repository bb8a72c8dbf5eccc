"""The planned rounds of a bundle, held against its matches: the points they brought, who met next.

Who was out when a round was planned is not in a bundle. Where it may have mattered, since matches
of a meeting were not played or a bot did not start, the point may be the opponent's as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.bundle.contents import Carried, Head
from arena.model import Match, Termination
from arena.schedule.formats import find_format
from arena.schedule.interface import AdaptiveFormat
from arena.schedule.plan import Past, Plan, Planned, Points, Ranks, score

__all__ = ["RoundsCheck"]


class RoundsCheck:
    """Takes the matches of a bundle in schedule order; keeps those of one round."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._schedule = head.schedule if isinstance(head.schedule, Planned) else None
        self._plans = [Plan.from_text(each.plan) for each in head.rounds]
        self._results: dict[int, Ranks] = {}
        self._failing: set[str] = set()  # who did not start in some match
        self._round = 0
        self._certain = True  # whether nobody can have been out

    def add(self, carried: Carried) -> Iterator[str]:
        """Take the next match; yield what is wrong with the rounds before its own."""
        if self._schedule is None:
            return
        while self._schedule.starts[self._round + 1] <= carried.match.number:
            yield from self._over()
        record = carried.record
        self._results[carried.match.number] = (carried.match.seats, record.ranks)
        for fault in record.faults:
            if fault.code is Termination.STARTUP:
                self._failing.add(record.players[fault.player].bot)

    def end(self) -> Iterator[str]:
        """Yield what is wrong with the rounds that are left, and with the pairings of all."""
        while self._schedule is not None and self._round < len(self._plans):
            yield from self._over()
        yield from self._pairings()

    def _over(self) -> Iterator[str]:
        """Compare the points of a round, and go on to the next one."""
        number, results = self._round, self._results
        self._round, self._results = number + 1, {}
        stored = self._head.rounds[number]
        if not stored.points:
            return
        assert self._schedule is not None
        plan, found = Past.from_texts(*stored)
        matches = list(self._schedule.of_round(number))
        usual = score(plan, matches, results, {})
        if found == usual:
            return
        self._certain = False
        for place, meeting in enumerate(plan.meetings):
            away = self._may_be_away(meeting.entrants, matches, results)
            if found[place] != usual[place] and not _is_walkover(found, place, away):
                names = " and ".join(meeting.entrants)
                yield f"round {plan.round}: the points of {names} are not those of their matches"

    def _may_be_away(
        self, names: Sequence[str], matches: Sequence[Match], results: dict[int, Ranks]
    ) -> list[bool]:
        """Return of each of a meeting whether it may have been out."""
        theirs = [match.number for match in matches if set(match.seats) == set(names)]
        whole = all(number in results for number in theirs)
        return [not whole or name in self._failing for name in names]

    def _pairings(self) -> Iterator[str]:
        """Plan each round again from those before, where all that counts is known."""
        tournament, rounds = self._head.tournament, self._head.rounds
        format_ = find_format(tournament.format)
        if not isinstance(format_, AdaptiveFormat) or tournament.seeding or not self._certain:
            return
        names = [bot.name for bot in tournament.bots]
        if self._failing or any(entry.out for entry in self._head.manifest.entries):
            return
        past: list[Past] = []
        for plan, stored in zip(self._plans, rounds, strict=True):
            if any(meeting.walkover for meeting in plan.meetings):
                return
            expected = format_.plan(tournament, names, past, {})
            if expected != plan and (expected is None or _met(expected) == _met(plan)):
                yield f"round {plan.round}: these pairings do not follow from the rounds before"
                return
            if stored.points:
                past.append(Past.from_texts(*stored))


def _met(plan: Plan) -> set[str]:
    return {name for meeting in plan.meetings for name in meeting.entrants}


def _is_walkover(points: Points, place: int, away: Sequence[bool]) -> bool:
    """Return whether a meeting's points are those of whom did not come among those who may not."""
    return all(point in (0, 1) for point in points[place]) and any(
        lost for point, lost in zip(points[place], away, strict=True) if not point
    )
