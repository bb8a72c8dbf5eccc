"""All that tables are made from, in one pass over the matches: standings, meetings and blocks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.ratings.crosstable import Meetings, fold_meetings
from arena.ratings.fold import Standings, fold
from arena.values.tables import MatchRow

TOGETHER = 100_000  # matches that are held at a time, since each fold goes over them by itself


class Totals(NamedTuple):
    """Three folds over the same matches."""

    # a named tuple's defaults; nobody changes them
    standings: Standings = {}  # noqa: RUF012
    meetings: Meetings = {}  # noqa: RUF012
    blocks: BlockCounts = BlockCounts()


def add(results: Iterable[MatchRow], start: Totals) -> Totals:
    """Go on from ``start`` with more results, which must come in schedule order."""
    coming, now = iter(results), start
    while some := list(islice(coming, TOGETHER)):
        now = Totals(
            fold(some, now.standings),
            fold_meetings(some, now.meetings),
            fold_blocks(some, now.blocks),
        )
    return now
