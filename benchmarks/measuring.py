"""How two things are measured side by side: in turn, several times, on a machine with others."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["Measured", "Missing", "Sizes", "alternate", "middle", "on_one_core", "side_by_side"]


class Missing(Exception):
    """This machine has not what a row needs; the message says what."""


class Measured(NamedTuple):
    """One row: a value a round, and the yardstick's in the same rounds.

    Attributes:
        name: that of its ``Spec``.
        values: ours; empty if it could not be measured, which ``note`` explains.
        references: the yardstick's, in the same order; empty if there is none.
        note: what a reader must know, such as "no peer".
    """

    name: str
    values: tuple[float, ...]
    references: tuple[float, ...] = ()
    note: str = ""


class Sizes(NamedTuple):
    """How much to do: all of it, or what shows that the rows work."""

    quick: bool = False

    def pick(self, full: int, quick: int) -> int:
        """Return one of two sizes."""
        return quick if self.quick else full


def alternate(rounds: int, *measures: Callable[[], float]) -> tuple[tuple[float, ...], ...]:
    """Measure several things in turn; return the values of each, a value a round.

    Every other round goes backwards, so that nobody always follows the same neighbour.

    >>> alternate(2, lambda: 1.0, lambda: 2.0)
    ((1.0, 1.0), (2.0, 2.0))
    """
    found: list[list[float]] = [[] for _ in measures]
    order = list(range(len(measures)))
    for _ in range(rounds):
        for place in order:
            found[place].append(measures[place]())
        order.reverse()
    return tuple(tuple(values) for values in found)


def side_by_side(
    rounds: int, ours: Callable[[], float], yardstick: Callable[[], float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Measure something and its yardstick in turn; return the values of both."""
    values, references = alternate(rounds, ours, yardstick)
    return values, references


def middle(values: Sequence[float]) -> float | None:
    """Return the median, ``None`` of nothing."""
    return statistics.median(values) if values else None


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
