"""What a run is to play of a schedule, all of it or a part, and how much of that is settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.schedule.blocks import Blocks
from arena.schedule.parts import Part, Share
from arena.schedule.settled import Settled
from arena.values.model import Round

__all__ = ["Goal", "Unfinished"]


class Unfinished(NamedTuple):
    """A part that was run, how many matches of the whole tournament are played, and of how many.

    Those of other parts are among them, and among ``matches`` those of who is out.
    """

    part: Part
    played: int
    matches: int


class Goal:
    """How far a run is to go; ``settled`` is shared with the code that settles matches.

    Attributes:
        part: what is played of the schedule; ``None``: all.
        end: the number after the last one of the schedule, as far as that is known.
        waiting: the schedule of which a part is played, once it is known.
    """

    def __init__(self, settled: Settled, part: Part | None) -> None:
        self.part, self.end = part, 0
        self.waiting: Round | None = None
        self._settled = settled
        self._share: Share | None = None

    @property
    def total(self) -> int:
        """How many matches are played in the end, ``len(settled)`` of them by now."""
        return self.end if self._share is None else len(self._share)

    @property
    def is_over(self) -> bool:
        """Whether the whole schedule is settled, in which a part may wait for others."""
        return self._settled.prefix >= self.end

    def aim(self, round_: Round) -> None:
        """Take in a round: with those before it, it is the schedule as far as it is known."""
        self.end = round_[len(round_) - 1].number + 1
        if self.part is not None and self._share is None:
            assert isinstance(round_, Blocks), "only such schedules have parts"
            self.waiting, self._share = round_, Share(self.part, round_)
            self._settled.count_only(self._share)

    def missing(self, round_: Round) -> Iterator[int]:
        """Yield the indices of the matches of a round that are to be played."""
        start, settled, share = round_[0].number, self._settled, self._share
        for number in range(max(start, settled.prefix), start + len(round_)):
            if number not in settled and (share is None or number in share):
                yield number - start

    def is_missing(self, number: int) -> bool:
        """Return whether a match is to be played."""
        return number not in self._settled and (self._share is None or number in self._share)
