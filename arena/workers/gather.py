"""Results handed on together, of whatever plays matches: our own workers, or hosts of a cluster."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, Self, TypeVar

from arena.process.silence import LOOK_SECONDS
from arena.values.errors import Void
from arena.values.tables import MatchRow

__all__ = ["LOOK_SECONDS", "Lost", "Source"]

GATHER_SECONDS = 0.05  # results are handed on together, at most so often
MOST = 64  # of them at a time

M = TypeVar("M")  # a match, or a whole job


class Lost(NamedTuple):
    """A match that was not played to its end, by its number, and why."""

    number: int
    void: Void


class Source(ABC, Generic[M]):
    """What plays matches; its block stops it.

    Attributes:
        results: those that have come and were not handed on.
        last_check: when ``check`` was called last.

    Args:
        clock: seconds of a clock that never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.results: list[MatchRow | Lost] = []
        self.last_check = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End what plays, with what is being played."""

    def run(
        self,
        matches: Callable[[int], M | float | None],
        make: Any,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[MatchRow | Lost]]:
        """Play what ``matches`` gives until it gives ``None`` and all is back.

        Yields results in the order in which they come: all that have come within 50 ms, at most 64.

        Args:
            matches: gives the next match to a worker, by the worker's place, when it has room. If
                it gives a number there is no match yet, and it is asked again after so many
                seconds. What it says may change with every result.
            make: makes the job of a match, where it is played.
            look: called before results are handed over, and at least once a second.
        """
        self.begin(make)
        given = self.clock()
        try:
            while True:
                pause = self.hand_out(matches)
                rest = given + GATHER_SECONDS - self.clock()
                if self.results and (rest <= 0 or len(self.results) >= MOST or self.has_room()):
                    look()
                    gathered, self.results = self.results[:MOST], self.results[MOST:]
                    yield gathered
                    given = self.clock()
                    continue  # it may be known now what else there is to play
                if pause is None and not self.busy():
                    return
                self.wait(max(0.0, rest) if self.results else pause or LOOK_SECONDS)
                # after the results were read: who has just sent one does not hang
                if self.clock() - self.last_check >= LOOK_SECONDS:
                    self.last_check = self.clock()
                    look()
                    self.check()
        except KeyboardInterrupt:
            if self.results:
                yield self.results
            raise

    @abstractmethod
    def begin(self, make: Any) -> None:
        """Forget what an earlier call of ``run`` has left behind; ``make`` is as there."""

    @abstractmethod
    def hand_out(self, matches: Callable[[int], M | float | None]) -> float | None:
        """Have played what there is room for; return when ``matches`` is to be asked again."""

    @abstractmethod
    def busy(self) -> bool:
        """Return whether anything is being played."""

    def has_room(self) -> bool:
        """Return whether it would play more if it had that now."""
        return not self.busy()

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Wait for results, at most so long."""

    def check(self) -> None:
        """Look for what hangs; called every ``LOOK_SECONDS``."""
