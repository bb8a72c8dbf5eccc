"""What a round of an adaptive format is, once it is planned, and what it brought.

Both are text in the store, written once. Meetings are worth one point, which those who meet share.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from arena.schedule.seats import seating
from arena.stats.scores import match_score
from arena.values.model import Match, Tournament

_fraction = lru_cache(1000)(Fraction)  # the same few, many times
Points = tuple[tuple[Fraction, ...], ...]  # of each meeting of a plan, of each of its entrants
Ranks = tuple[tuple[str, ...], tuple[int, ...]]  # of one match: who sat there, and their ranks


class Meeting(NamedTuple):
    """Who meets; one alone has a bye.

    With a ``walkover`` nothing is played, as somebody is out: it names who has the point. It plays
    the first ``times`` blocks of its round; 0: all of them.
    """

    entrants: tuple[str, ...]
    walkover: str = ""
    times: int = 0

    @property
    def is_played(self) -> bool:
        """Whether there are matches to play."""
        return len(self.entrants) > 1 and not self.walkover


@dataclass(frozen=True, slots=True)
class Plan:
    """One round: its number, from 1, who meets, and the numbers of the blocks each pairing plays.

    ``further`` counts the times that a round is gone on with, for those whom it left tied.
    ``weight`` is how many blocks had weight when a batch was planned; see ``batches``.
    """

    round: int
    blocks: tuple[int, ...]
    meetings: tuple[Meeting, ...]
    further: int = 0
    weight: int = 0

    @property
    def pairings(self) -> tuple[Meeting, ...]:
        """The meetings that are played."""
        return tuple(meeting for meeting in self.meetings if meeting.is_played)

    def to_text(self) -> str:
        """Return the plan as JSON; ``from_text`` is the inverse."""
        meetings = [
            {key: value for key, value in meeting._asdict().items() if value}
            for meeting in self.meetings
        ]
        head = {"round": self.round, "further": self.further, "blocks": self.blocks}
        weight = {"weight": self.weight} if self.weight else {}
        return json.dumps({**head, **weight, "meetings": meetings})

    @classmethod
    def from_text(cls, text: str) -> Plan:
        """Return the plan that a text of ours says."""
        values = json.loads(text)
        meetings = [
            Meeting(**{**each, "entrants": tuple(each["entrants"])}) for each in values["meetings"]
        ]
        return cls(**{**values, "blocks": tuple(values["blocks"]), "meetings": tuple(meetings)})


class Past(NamedTuple):
    """A round that was planned, and the points it brought."""

    plan: Plan
    points: Points

    def points_text(self) -> str:
        """Return the points as JSON."""
        return json.dumps([[str(one) for one in meeting] for meeting in self.points])

    @classmethod
    def from_texts(cls, plan: str, points: str) -> Past:
        """Return what texts of ours say."""
        read = [tuple(map(_fraction, meeting)) for meeting in json.loads(points)]
        return cls(Plan.from_text(plan), tuple(read))


class TablePlace(NamedTuple):
    """Where an entrant stands: tables sort by ``key``, the largest first.

    ``points`` or ``reached`` is what people are shown of it.
    """

    key: Fraction
    points: Fraction | None = None
    reached: str = ""


class Planned:
    """The matches of rounds that were planned, one round after the other, as one schedule.

    Within a round the order is: block number, game, pairing, seating. An item is computed when
    asked.
    """

    def __init__(self, tournament: Tournament, plans: Sequence[Plan]) -> None:
        self._seed = tournament.seed
        self._games = sorted(tournament.games)
        self.starts = [0]  # of each round, and the end
        self._parts: list[tuple[int, str, list[tuple[str, ...]]]] = []  # block, game, who meets
        self._begins: list[int] = []  # of each part
        for plan in plans:
            self.add(plan)

    def add(self, plan: Plan) -> None:
        """Append the matches of one more round."""
        end, pairings = self.starts[-1], plan.pairings
        for place, k in enumerate(plan.blocks):
            groups = [m.entrants for m in pairings if not m.times or place < m.times]
            for game in self._games if groups else ():
                self._parts.append((k, game, groups))
                self._begins.append(end)
                end += sum(map(len, groups))
        self.starts.append(end)

    def __len__(self) -> int:
        return self.starts[-1]

    def __getitem__(self, index: int) -> Match:
        if not 0 <= index < len(self):
            raise IndexError(f"there is no match {index}: there are {len(self)}")
        which = bisect_right(self._begins, index) - 1
        k, game, groups = self._parts[which]
        group, number = divmod(index - self._begins[which], len(groups[0]))
        return Match(index, game, k, number, seating(groups[group], number, self._seed, game, k))

    def first_of_deal(self, index: int) -> int:
        """Return the index of the first match on the same deal; the others follow it."""
        return self._begins[bisect_right(self._begins, index) - 1]

    def of_round(self, which: int) -> Iterator[Match]:
        """Yield the matches of a round, counted from 0."""
        return (self[index] for index in range(self.starts[which], self.starts[which + 1]))


def score(
    plan: Plan,
    matches: Sequence[Match],
    results: Mapping[int, Ranks],
    since: Mapping[str, int | None],
) -> Points:
    """Return what a round brought: each meeting's point, as those who met share it.

    A match gives a share of one to each: a win all of it, a draw half; the meeting gives the mean
    of its matches that were decided. Where none was, it gives nothing. If one of two is out before
    their last match was played, the other has the whole point.

    Args:
        plan: the round.
        matches: all matches of it.
        results: by the number of the match.
        since: who is out, and from which match on: those behind that number do not count. ``None``:
            those that were not played before it was said.
    """
    of_meeting: dict[frozenset[str], list[Match]] = {}
    for match in matches:
        of_meeting.setdefault(frozenset(match.seats), []).append(match)
    points = []
    for meeting in plan.meetings:
        names = meeting.entrants
        if not meeting.is_played:
            points.append(
                tuple([Fraction(name == (meeting.walkover or names[0])) for name in names])
            )
            continue
        played = of_meeting[frozenset(names)]
        gone = [name in since and _is_gone(since[name], played, results) for name in names]
        if any(gone):
            points.append(tuple([Fraction(not away) for away in gone]))
        else:
            found = [results[match.number] for match in played if match.number in results]
            shares = [
                [match_score(ranks, seats.index(name)) for seats, ranks in found] for name in names
            ]
            points.append(tuple([sum(own, Fraction(0)) / max(1, len(own)) for own in shares]))
    return tuple(points)


def _is_gone(last: int | None, played: Sequence[Match], results: Mapping[int, Ranks]) -> bool:
    """Return whether one who is out did not play a meeting to its end."""
    if last is None:
        return any(match.number not in results for match in played)
    return max(match.number for match in played) > last
