"""Knockout: a loser is out, until one is left.

The best seeds have byes in the first round, and the two best can only meet in the final. A meeting
that is tied goes on with up to eight further blocks, one at a time; then the higher seed advances.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from arena.schedule.plan import Meeting, Past, Plan, TablePlace
from arena.values.model import Tournament

T = TypeVar("T")

FURTHER_BLOCKS = 8


class Tie(NamedTuple):
    """One meeting of the bracket.

    ``points`` are those of its own blocks, none before they were played, and ``further`` those of
    each further block. ``winner`` is nobody while that is open, and ``by`` says what decided:
    ``points``, ``bye``, ``walkover`` or ``seed``.
    """

    entrants: tuple[str, ...]
    points: tuple[Fraction, ...] = ()
    further: tuple[tuple[Fraction, ...], ...] = ()
    winner: str = ""
    by: str = ""


class Knockout:
    """The format, for games for two; the order of the entrants is their seeding."""

    name = "knockout"
    bot_order_counts = True
    grows_by: frozenset[str] = frozenset()
    keys = frozenset({"blocks", "seeding"})

    def plan(
        self,
        tournament: Tournament,
        entrants: Sequence[str],
        past: Sequence[Past],
        out: Collection[str],
    ) -> Plan | None:
        """Return the next round; arguments as for ``Swiss.plan``."""
        if not past:
            slots = seed_slots(len(entrants))
            seeded = [entrants[seed - 1] if seed <= len(entrants) else "" for seed in slots]
            groups = [tuple(filter(None, pair)) for pair in _two_and_two(seeded)]
            return _round(tournament, 1, groups, list(entrants), out)
        order, last, ties = seeds(past[0].plan), past[-1].plan, bracket(past)[-1]
        tied = [tie.entrants for tie in ties if not tie.winner]
        if tied:
            rounds = len(past[0].plan.meetings).bit_length()
            k = rounds * tournament.blocks + (last.round - 1) * FURTHER_BLOCKS + last.further
            meetings = tuple([_meeting(group, out) for group in tied])
            return Plan(last.round, (k,), meetings, last.further + 1)
        winners = [tie.winner for tie in ties]
        if len(winners) == 1:
            return None
        return _round(tournament, last.round + 1, _two_and_two(winners), order, out)

    def most_matches(self, tournament: Tournament, entrants: int) -> int:
        """Return how many matches there are at most."""
        blocks = tournament.blocks + FURTHER_BLOCKS
        return (entrants - 1) * 2 * blocks * len(tournament.games)

    def places(self, past: Sequence[Past], under_way: Plan | None) -> dict[str, TablePlace]:
        """Return which round each entrant reached."""
        found: dict[str, TablePlace] = {}
        for number, ties in enumerate(bracket(past, under_way)):
            for tie in ties:
                for name in tie.entrants:
                    found[name] = TablePlace(Fraction(number), reached=round_name(len(ties)))
            if len(ties) == 1 and ties[0].winner:
                found[ties[0].winner] = TablePlace(Fraction(number + 1), reached="winner")
        return found


def round_name(meetings: int) -> str:
    """Return what people call the round that has so many meetings.

    >>> round_name(1), round_name(8)
    ('final', 'round of 16')
    """
    names = {1: "final", 2: "semi-final", 4: "quarter-final"}
    return names.get(meetings, f"round of {2 * meetings}")


def seed_slots(entrants: int) -> list[int]:
    """Return the seeds, from 1, from top to bottom of the smallest bracket that has room for all.

    Two and two meet; a seed larger than the number of entrants is nobody.

    >>> seed_slots(6)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    slots = [1]
    while len(slots) < entrants:
        top = 2 * len(slots) + 1
        slots = [seed for better in slots for seed in (better, top - better)]
    return slots


def seeds(first: Plan) -> list[str]:
    """Return the entrants, best seed first, as the first round has them.

    Raises:
        ValueError: it is not a first round.
    """
    slots = _two_and_two(seed_slots(2 * len(first.meetings)))
    return [
        name
        for _, name in sorted(
            (seed, name)
            for meeting, pair in zip(first.meetings, slots, strict=True)
            for seed, name in zip(pair, meeting.entrants, strict=False)
        )
    ]


def bracket(past: Sequence[Past], under_way: Plan | None = None) -> list[list[Tie]]:
    """Return the rounds that were begun, each from top to bottom of the bracket.

    The winners of the first two meetings of a round meet in the first one of the next, and so on.

    Args:
        past: the rounds that are over.
        under_way: the one that is not, if there is one.
    """
    rounds: list[list[Tie]] = []
    for plan, points in past:
        if not plan.further:
            rounds.append([])
            for meeting, shares in zip(plan.meetings, points, strict=True):
                rounds[-1].append(_decided(meeting, Tie(meeting.entrants, shares)))
            continue
        again = {m.entrants: (m, shares) for m, shares in zip(plan.meetings, points, strict=True)}
        for place, tie in enumerate(rounds[-1]):
            if tie.entrants in again:
                meeting, shares = again[tie.entrants]
                longer = tie._replace(further=(*tie.further, shares))
                rounds[-1][place] = _decided(meeting, longer)
    if under_way is not None and not under_way.further:
        rounds.append([Tie(meeting.entrants) for meeting in under_way.meetings])
    return rounds


def _decided(meeting: Meeting, tie: Tie) -> Tie:
    """Return a meeting of the bracket with who advances, if what was played last decided it."""
    if len(tie.entrants) == 1:
        return tie._replace(winner=tie.entrants[0], by="bye")
    if meeting.walkover:
        return tie._replace(winner=meeting.walkover, by="walkover")
    last = tie.further[-1] if tie.further else tie.points
    if last[0] != last[1]:
        return tie._replace(winner=tie.entrants[last.index(max(last))], by="points")
    if len(tie.further) == FURTHER_BLOCKS:
        return tie._replace(winner=tie.entrants[0], by="seed")
    return tie


def _round(
    tournament: Tournament,
    number: int,
    groups: Sequence[tuple[str, ...]],
    seeds: list[str],
    out: Collection[str],
) -> Plan:
    """Return a round of meetings, in each of which the higher seed is the first."""
    first = (number - 1) * tournament.blocks
    meetings = [_meeting(tuple(sorted(group, key=seeds.index)), out) for group in groups]
    return Plan(number, tuple(range(first, first + tournament.blocks)), tuple(meetings))


def _meeting(group: tuple[str, ...], out: Collection[str]) -> Meeting:
    """Return a meeting; if somebody is out the other one advances, if both are the higher seed."""
    if len(group) == 1 or not any(name in out for name in group):
        return Meeting(group)
    return Meeting(group, walkover=next((name for name in group if name not in out), group[0]))


def _two_and_two(items: Sequence[T]) -> list[tuple[T, T]]:
    return list(zip(items[::2], items[1::2], strict=True))


FORMAT = Knockout()
