"""The tournament formats there are, found by the name a tournament file gives.

A format keeps nothing between calls: it answers from what was played, so going on with a tournament
is asking it again. The schedule of a ``BlocksFormat`` is known from the start. In the others
results decide who meets next: each round is planned once, from what is committed, and stored before
its first match is played (``arena.progress.planner``); it is never planned again.
"""

from __future__ import annotations

from typing import TypeAlias

from arena.schedule import compare, gauntlet, knockout, ladder, round_robin, swiss
from arena.schedule.blocks import BlocksFormat
from arena.schedule.knockout import Knockout
from arena.schedule.ladder import Ladder
from arena.schedule.swiss import Swiss
from arena.values.errors import UsageError, near_miss

AdaptiveFormat: TypeAlias = Swiss | Knockout  # planned from the points of the rounds before
PlannedFormat: TypeAlias = Swiss | Knockout | Ladder
Format: TypeAlias = BlocksFormat | PlannedFormat

_FORMATS: tuple[Format, ...] = (
    round_robin.FORMAT,
    gauntlet.FORMAT,
    compare.FORMAT,
    swiss.FORMAT,
    knockout.FORMAT,
    ladder.FORMAT,
)


def find_format(name: str) -> Format:
    """Return the format of a name; raises ``UsageError`` that lists those there are."""
    for format_ in _FORMATS:
        if format_.name == name:
            return format_
    names = sorted([format_.name for format_ in _FORMATS])
    raise UsageError(
        f'there is no format "{name}"; there are: {", ".join(names)}' + near_miss(name, names)
    )
