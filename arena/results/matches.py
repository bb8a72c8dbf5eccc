"""The matches of a home, as lists."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Generator, Sequence
from contextlib import closing

from arena.results.standings import (
    canonical,
    check_home,
    choose_all,
    since_time,
    those_meant,
    where_text,
)
from arena.store import Store, open_home
from arena.store.entrants import meant
from arena.store.matches import MatchFilter
from arena.values.arguments import PathLike
from arena.values.tables import MatchRow

__all__ = ["list_matches"]


def list_matches(
    home: PathLike,
    tournament: str | None = None,
    *,
    merged: bool = False,
    bot: str | None = None,
    by: str | None = None,
    game: str | None = None,
    since: str | None = None,
    bots: Collection[str] = (),
    lost: bool = False,
    limit: int | None = None,
    scores: bool = False,
    duplicates: bool = False,
) -> tuple[str | None, list[MatchRow]]:
    """Return what tournaments are called, and their matches in schedule order.

    >>> _, lost = arena.list_matches(".arena", bot="random-sh", lost=True)
    >>> len(lost), lost[0].id, lost[0].entrants, lost[0].ranks
    (14, 'c633c7f3908b6b89', ('greedy', 'random-sh'), (1, 2))

    Args:
        home: the arena's home.
        tournament: as for ``read_leaderboard``.
        merged: the same.
        bot: only matches of this entrant; where nobody has that name, of this bot.
        by: only those that ended so.
        game: only those of this game.
        since: only those that started then or later; see ``since_time``.
        bots: only those of these with one another.
        lost: only those that ``bot`` lost. If there is no ``bot``: those that a bot lost which did
            not come with the arena; if all did, those that anybody lost.
        limit: only so many, those that were stored last: the newest first. Hardly more are read,
            unless it is asked which are duplicates.
        scores: say what the scores were, which reads the record of each match that is returned.
        duplicates: only those that repeat an earlier one; say which.

    Raises:
        UsageError: there is no such tournament, bot or time.
        EngineError: there is no such game.
    """
    begin = None if since is None else since_time(since)
    with open_home(check_home(home, tournament, game)) as store:
        editions = [] if merged else choose_all(store, tournament)
        owners: list[int | None] = [edition.id for edition in editions]
        where = where_text(editions, tournament)
        if bot is not None:
            for edition in editions:
                meant(store.tournaments.entries(edition.id), bot, where)
        only = MatchFilter(bot, by, canonical(game), lost)
        found = [
            _fitting(
                store.matches.list(
                    owner,
                    only,
                    scores=scores and limit is None,
                    repeats=duplicates,
                    newest=limit is not None and not duplicates,
                ),
                begin,
                those_meant(store.folds, owner, bots, where) if bots else None,
                duplicates,
            )
            for owner in owners or [None]
        ]
        rows = _joined(store, found, limit, scores, duplicates)
    return ", ".join([edition.label for edition in editions]) or None, rows


def _fitting(
    rows: Generator[MatchRow, None, None],
    begin: str | None,
    names: set[str] | None,
    duplicates: bool,
) -> Generator[MatchRow, None, None]:
    """Yield matches from a time on, of these with one another, that repeat others, as is asked."""
    with closing(rows):
        for row in rows:
            if (
                (begin is None or row.started >= begin)
                and (names is None or names.issuperset(row.entrants))
                and (not duplicates or row.repeats)
            ):
                yield row


def _joined(
    store: Store,
    found: Sequence[Generator[MatchRow, None, None]],
    limit: int | None,
    scores: bool,
    duplicates: bool,
) -> list[MatchRow]:
    """Return the matches of some tournaments, or those of them that were stored last."""
    if limit is None:
        return [row for rows in found for row in rows]
    if duplicates:
        rows = heapq.nlargest(limit, itertools.chain(*found), key=lambda row: row.arrived)
    else:
        rows = [*itertools.islice(heapq.merge(*found, key=lambda row: -row.arrived), limit)]
        for each in found:
            each.close()
    return [store.matches.with_scores(row) for row in rows] if scores else rows
