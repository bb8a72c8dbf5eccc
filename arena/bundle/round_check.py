"""The planned rounds of a bundle, compared with its matches: their points, and who met next.

Who was out when a round was planned is not in a bundle. The pairings say it: who is not paired was
out. A point that was won without a match needs somebody who is out now, or whose bot did not start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from arena.bundle.contents import Bundle, Carried
from arena.progress.suspensions import failures
from arena.schedule.formats import AdaptiveFormat, find_format
from arena.schedule.knockout import seeds
from arena.schedule.plan import Past, Plan, Planned, Points, Ranks, score


class RoundsCheck:
    """Takes the matches of a bundle in schedule order; keeps those of one round."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._schedule = bundle.schedule if isinstance(bundle.schedule, Planned) else None
        self._rounds = bundle.rounds
        self._results: dict[int, Ranks] = {}
        self._round = 0
        self._out = {entry.name for entry in bundle.manifest.entries if entry.out}
        self._undecided = {each.number for each in bundle.manifest.undecided}
        self._failing: set[str] = set()  # who did not start in some match

    def add(self, carried: Carried) -> Iterator[str]:
        """Take the next match; yield what is wrong with the rounds before its own."""
        if self._schedule is None:
            return
        while self._schedule.starts[self._round + 1] <= carried.match.number:
            yield from self._over()
        seats, record = carried.match.seats, carried.record
        self._results[carried.match.number] = (seats, record.ranks)
        faults = [(one.player, one.code.value) for one in record.faults]
        failed = failures(faults, self._bundle.tournament.faults)
        self._failing.update([seats[player] for player in failed])

    def end(self) -> Iterator[str]:
        """Yield what is wrong with the rounds that are left, and with the pairings of all."""
        while self._schedule is not None and self._round < len(self._rounds):
            yield from self._over()
        yield from self._pairings()

    def _over(self) -> Iterator[str]:
        """Hold a round against its matches, and go on to the next one."""
        number, results = self._round, self._results
        self._round, self._results = number + 1, {}
        plan, found = self._rounds[number]
        yield from self._walkovers(plan)
        if not found:
            return
        assert self._schedule is not None
        matches = list(self._schedule.of_round(number))
        usual = score(plan, matches, results, {})
        missing = [match for match in matches if match.number not in results]
        partly = {frozenset(match.seats) for match in missing}
        unexplained = {frozenset(m.seats) for m in missing if m.number not in self._undecided}
        for place, meeting in enumerate(plan.meetings):
            group = frozenset(meeting.entrants)
            may_be_out = self._failing | (self._out if group in partly else set())
            away = [name in may_be_out for name in meeting.entrants]
            names = " and ".join(meeting.entrants)
            if found[place] != usual[place] and not _is_walkover(found, place, away):
                yield f"round {plan.round}: the points of {names} are not those of their matches"
            elif group in unexplained and not any(away):
                yield f"round {plan.round} is over, and matches of {names} are missing"

    def _walkovers(self, plan: Plan) -> Iterator[str]:
        """Look for opponents that may not have been out when a round was planned."""
        may_be_out = self._out | self._failing
        for meeting in plan.meetings:
            others = set(meeting.entrants) - {meeting.walkover}
            if meeting.walkover and not others <= may_be_out:
                yield f"round {plan.round}: {meeting.walkover} has a walkover, and nobody is out"

    def _pairings(self) -> Iterator[str]:
        """Plan each round again from those before."""
        tournament = self._bundle.tournament
        format_ = find_format(tournament.format)
        if not isinstance(format_, AdaptiveFormat):
            return
        names = seeded_names(self._bundle)
        past: list[Past] = []
        for each in self._rounds:
            plan = each.plan
            if format_.plan(tournament, names, past, _left_out(names, plan)) != plan:
                yield f"round {plan.round}: these pairings do not follow from the rounds before"
                return
            past.append(each)


def seeded_names(bundle: Bundle) -> list[str]:
    """Return the entrants of the file, the best seed first."""
    tournament = bundle.tournament
    names = [bot.name for bot in tournament.bots]
    if tournament.seeding is None or not bundle.rounds:
        return names
    # by the table of another tournament, which is not in the bundle
    with suppress(ValueError):
        seeded = seeds(bundle.rounds[0].plan)
        if sorted(seeded) == sorted(names):
            return seeded
    return names


def _left_out(names: Iterable[str], plan: Plan) -> set[str]:
    """Return the entrants that must have been out when a round was planned, or lost before it."""
    playing = {name for m in plan.meetings for name in ([m.walkover] if m.walkover else m.entrants)}
    return set(names) - playing


def _is_walkover(points: Points, place: int, away: Sequence[bool]) -> bool:
    """Return whether a meeting's points are those of whom did not come among those who may not."""
    return all(point in (0, 1) for point in points[place]) and any(
        lost for point, lost in zip(points[place], away, strict=True) if not point
    )
