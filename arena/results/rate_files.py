"""Tables of results that were played elsewhere: no home, no store, the same fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from arena.ratings.block_counts import outcome_of
from arena.ratings.crosstable import Meetings, fold_meetings
from arena.ratings.fold import Standings, fold
from arena.ratings.likelihoods import Block, make_table
from arena.ratings.totals import TOGETHER
from arena.results.board import Current, crosstable_of, leaderboard_of
from arena.results.outcomes import read_outcomes
from arena.values.arguments import PathLike, check_anchor, path_of
from arena.values.errors import UsageError, hint
from arena.values.tables import CrossTable, Leaderboard, MatchRow


class RatedFiles(NamedTuple):
    """The tables of some results: who is how strong, and who did how against whom."""

    leaderboard: Leaderboard
    crosstable: CrossTable


def rate_files(
    files: Iterable[PathLike], *, anchor: Mapping[str, float] | None = None
) -> RatedFiles:
    """Rate results from anywhere, without a home: order-free Elo, intervals, cross-table.

    Each result is a block of its own: it is taken as independent of all others, and counts even if
    it repeats one. Nobody has a seat.

    Args:
        files: ``.csv`` (a header line ``white,black,result`` or ``players,ranks``), ``.pgn``, or
            ``.jsonl`` (records of the arena); ``-`` is CSV from standard input.
        anchor: the bot whose Elo is fixed, with its Elo, such as ``{"greedy": 1500}``.

    Raises:
        UsageError: a file is of another kind, or a line of it says no result; or nobody is called
            as the anchor.
        OSError: a file cannot be read.
    """
    coming = read_outcomes([path_of(file, "files") for file in files])
    fixed = None if anchor is None else check_anchor(anchor)
    standings, meetings, counts, skipped = Standings(), Meetings(), Counter[Block](), 0
    while some := list(islice(coming, TOGETHER)):
        known = [played for played in some if played is not None]
        results = [
            MatchRow((0, 0), names, ranks, (), (0,) * len(names), (0,) * len(names))
            for names, ranks in known
        ]
        standings, meetings = fold(results, standings), fold_meetings(results, meetings)
        counts.update([(outcome_of(*played),) for played in known])
        skipped += len(some) - len(known)
    entrants = {name: (name, 0) for name in sorted(standings)}
    if fixed is not None and fixed[0] not in entrants:
        there = hint(fixed[0], list(entrants))
        raise UsageError(f'nobody is called "{fixed[0]}" in these results{there}')
    now = Current(standings, meetings, make_table(counts))
    board = leaderboard_of(now, entrants, anchor=fixed)
    cross = crosstable_of(now, entrants)
    return RatedFiles(
        board._replace(skipped=skipped),
        cross._replace(rows=tuple([row for row in cross.rows if row.seat is None])),
    )
