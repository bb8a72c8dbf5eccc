"""Results handed on together, of whatever plays matches: our own workers, or hosts of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from arena.packed.match import StoredMatch
from arena.process.silence import LOOK_SECONDS
from arena.values.errors import Void

__all__ = ["LOOK_SECONDS", "Given", "Lost", "Played", "Source", "gather"]

GATHER_SECONDS = 0.05  # results are handed on together, at most so often
MOST = 64  # of them at a time

M = TypeVar("M", contravariant=True)  # a match, or a whole job


class Given(Protocol):
    """A match, or a whole job."""

    @property
    def number(self) -> int: ...

    @property
    def game(self) -> str: ...


class Played(NamedTuple):
    """A finished match."""

    packed: StoredMatch

    @property
    def number(self) -> int:
        """The match's number."""
        return self.packed.number


class Lost(NamedTuple):
    """A match that was not played to its end, by its number, and why."""

    number: int
    void: Void


class Source(Protocol[M]):
    """What plays matches; its block stops it.

    Attributes:
        results: those that have come and were not handed on.
        last_check: when ``check`` was called last.
    """

    results: list[Played | Lost]
    last_check: float

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End what plays, with what is being played."""
        ...

    def run(
        self,
        matches: Callable[[int], M | float | None],
        make: Any,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
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
        yield from gather(self, lambda: self.hand_out(matches), look)

    def begin(self, make: Any) -> None:
        """Forget what an earlier call of ``run`` has left behind; ``make`` is as there."""
        ...

    def hand_out(self, matches: Callable[[int], M | float | None]) -> float | None:
        """Have played what there is room for; return when ``matches`` is to be asked again."""
        ...

    def busy(self) -> bool:
        """Return whether anything is being played."""
        ...

    def has_room(self) -> bool:
        """Return whether it would play more if it had that now."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait for results, at most so long."""
        ...

    def check(self) -> None:
        """Look for what hangs; called every ``LOOK_SECONDS``."""
        ...


def gather(
    source: Source[Any], hand_out: Callable[[], float | None], look: Callable[[], None]
) -> Iterator[list[Played | Lost]]:
    """Yield results in the order in which they come: all that come within 50 ms, at most 64.

    Args:
        source: where they come from.
        hand_out: gives the source what it has room for; says after how many seconds to ask again
            for what there is to play, ``None`` if that is not to be known before more is back.
        look: called before results are handed over, and at least every ``LOOK_SECONDS``.
    """
    given = time.monotonic()
    try:
        while True:
            pause = hand_out()
            rest = given + GATHER_SECONDS - time.monotonic()
            if source.results and (rest <= 0 or len(source.results) >= MOST or source.has_room()):
                look()
                gathered, source.results = source.results[:MOST], source.results[MOST:]
                yield gathered
                given = time.monotonic()
                continue  # it may be known now what else there is to play
            if pause is None and not source.busy():
                return
            source.wait(max(0.0, rest) if source.results else pause or LOOK_SECONDS)
            # after the results were read: who has just sent one does not hang
            if time.monotonic() - source.last_check >= LOOK_SECONDS:
                source.last_check = time.monotonic()
                look()
                source.check()
    except KeyboardInterrupt:
        if source.results:
            yield source.results
        raise
