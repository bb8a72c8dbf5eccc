"""What a format that plans batch by batch looks at: what was planned, and what results say.

Between two batches newer versions of bots come in and entrants leave, so nothing here is counted
per round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from arena.schedule.plan import Plan
from arena.values.tables import Rating


class NoBatch(StrEnum):
    """Why there is no further batch; with a ``stop`` that was reached there never is one."""

    ROUNDS = "rounds"  # everybody has so many blocks
    SIGMA = "sigma"  # everybody's rating is as certain as was asked for
    MATCHES = "matches"  # as many as were asked for were played
    REPEATS = "repeats"  # for a long time no block brought anything new
    ALONE = "alone"  # too few are left to play

    @property
    def is_stop(self) -> bool:
        """Whether this is a ``stop`` of the tournament's file."""
        return self in (NoBatch.SIGMA, NoBatch.MATCHES)


class BatchHistory(NamedTuple):
    """What the results of all batches say.

    Attributes:
        ratings: of those who met somebody; all others have that of a beginner.
        weight: how many blocks are complete and do not repeat others.
        information: how much one match says of the difference of two skills, as a precision (one
            through a variance), given the difference of their means and the sum of their variances.
    """

    ratings: Mapping[str, Rating]
    weight: int
    information: Callable[[float, float], float]


class History:
    """What was planned in all batches so far.

    Attributes:
        batches: how many there were.
        blocks: how many blocks they had.
        next_block: the first block number that none of them used.
        met: how many blocks each two had with one another, by their names in order.
        last: the last batch that each entrant was in.
    """

    def __init__(self) -> None:
        self.batches = self.blocks = self.next_block = 0
        self.met: Counter[tuple[str, str]] = Counter()
        self.last: dict[str, int] = {}
        self._groups: Counter[tuple[str, ...]] = Counter()
        self._weight = self._idle = 0

    def add(self, plan: Plan) -> None:
        """Count one more batch."""
        count = 0
        for meeting in plan.meetings:
            names = tuple(sorted(meeting.entrants))
            self._groups[names] += meeting.times
            for pair in combinations(names, 2):
                self.met[pair] += meeting.times
            self.last.update(dict.fromkeys(names, plan.round))
            count += meeting.times
        self._idle = self.idle(plan.weight) + count
        self._weight = plan.weight
        self.batches, self.blocks = plan.round, self.blocks + count
        self.next_block = plan.blocks[-1] + 1

    def idle(self, weight: int) -> int:
        """Return how many blocks in a row, in whole batches, brought nothing new.

        Args:
            weight: of all of them; see ``BatchHistory``.
        """
        return self._idle if weight == self._weight else 0

    def blocks_of(self, out: Collection[str]) -> Counter[str]:
        """Return how many blocks each entrant had, those with any of ``out`` left out."""
        counts: Counter[str] = Counter()
        for names, count in self._groups.items():
            if not any(name in out for name in names):
                for name in names:
                    counts[name] += count
        return counts
