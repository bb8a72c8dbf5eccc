"""The groups of rows: what is measured together is in one file, and so in one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.groups import (
    cluster,
    command_line,
    engines,
    fresh,
    kept,
    learners,
    many_bots,
    pages,
    ratings,
    scale,
    schedules,
    starts,
    stopped,
    store,
    tournament,
)
from benchmarks.measuring import Measured, Sizes
from benchmarks.workshop import Workshop

__all__ = ["GROUPS", "Group"]

Measure = Callable[[Workshop, Sizes], Iterator[Measured]]


class Group(NamedTuple):
    """Rows that are measured together, and how."""

    rows: tuple[str, ...]
    measure: Measure


# in this order; the ones that need most memory and disk come last
GROUPS = tuple(
    Group(module.ROWS, module.measure)
    for module in (
        kept, stopped, fresh, many_bots, schedules, cluster, tournament, starts,
        command_line, engines, learners, ratings, pages, store, scale,
    )
)  # fmt: skip
