"""All that tables are made from, in one pass over the matches: standings, meetings and blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.ratings.crosstable import Meetings, fold_meetings
from arena.ratings.fold import Standings, fold
from arena.values.tables import MatchRow

TOGETHER = 100_000  # matches that are held at a time, since each fold goes over them by itself


@dataclass(slots=True)
class Totals:
    """Three folds over the same matches."""

    standings: Standings = field(default_factory=dict)
    meetings: Meetings = field(default_factory=dict)
    blocks: BlockCounts = field(default_factory=BlockCounts)


def add(results: Iterable[MatchRow], start: Totals) -> Totals:
    """Go on from ``start``, which is used up, with more results in schedule order."""
    coming, now = iter(results), start
    while some := list(islice(coming, TOGETHER)):
        now = Totals(
            fold(some, now.standings),
            fold_meetings(some, now.meetings),
            fold_blocks(some, now.blocks),
        )
    return now
