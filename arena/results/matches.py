"""The matches of a home, as lists."""

from __future__ import annotations

import heapq
import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import cache, partial
from itertools import chain, islice
from typing import Any

from arena.results.standings import (
    canonical,
    check_home,
    choose_all,
    since_time,
    where_text,
)
from arena.store import Store, open_home
from arena.store.entrants import Entry, those_meant
from arena.values.arguments import PathLike
from arena.values.tables import MatchRow


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
        lost: only those that ``bot`` lost. Without ``bot``: those that a bot lost which is not
            bundled; if all bots are bundled, those that anybody lost.
        limit: only so many, those that were stored last: the newest first. Hardly more are read,
            unless it is asked which are duplicates.
        scores: say what the scores were, which reads the record of each match that is returned.
        duplicates: only those that repeat an earlier one; say which.

    Raises:
        UsageError: there is no such tournament, bot or time.
        EngineError: there is no such game.
    """
    begin = None if since is None else since_time(since)
    with ExitStack() as opened:
        store = opened.enter_context(open_home(check_home(home, tournament, game)))
        editions = [] if merged else choose_all(store, tournament)
        where = where_text(editions, tournament)
        kind = canonical(game)
        owners: list[int | None] = [None] if merged else [edition.id for edition in editions]
        entries = [entry for owner in owners for entry in store.tournaments.entries(owner)]
        wanted = None if bot is None else those_meant(entries, [bot], where)
        among = those_meant(entries, bots, where) if bots else None
        losers = wanted or _foreign(store, entries) or _ids(entries) if lost else None

        def fits(row: MatchRow) -> bool:
            return (
                by in (None, row.by)
                and kind in (None, row.game)
                and (wanted is None or not wanted.isdisjoint(row.seats))
                and (among is None or among.issuperset(row.seats))
                and (begin is None or row.started >= begin)
                and (losers is None or not losers.isdisjoint(_beaten(row)))
            )

        newest = limit is not None and not duplicates
        read = partial(store.matches.read, newest=newest, texts=scores and limit is None)
        each = [opened.enter_context(closing(read(owner))) for owner in owners]
        rows: Iterable[MatchRow]
        rows = heapq.merge(*each, key=lambda row: -row.arrived) if newest else chain(*each)
        rows = filter(fits, _repeating(rows) if duplicates else rows)
        if newest:
            rows = islice(rows, limit)
        elif limit is not None:
            rows = heapq.nlargest(limit, rows, key=lambda row: row.arrived)
        listing = Listing(store)
        label = ", ".join([edition.label for edition in editions]) or None
        return label, [listing.row(row, scores=scores) for row in rows]


class Listing:
    """Says of matches what lists show beside what their rows say."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._edition = cache(store.tournaments.get)
        self._bundled = store.carried.origins()

    def row(self, row: MatchRow, *, scores: bool = False) -> MatchRow:
        """Return a match as it is listed; with ``scores``, its record is read."""
        found: dict[str, Any] = {}
        if scores:
            record = json.loads(row.text or self._store.matches.text(row.id))
            players = enumerate(record["players"])
            found["scores"] = None if record["scores"] is None else tuple(record["scores"])
            found["pondered"] = tuple([seat for seat, one in players if one.get("pondered")])
        return row._replace(
            tournament=self._edition(row.edition).label,
            ranks=row.ranks if len(row.ranks) > 1 else (1,),  # as in its record
            imported=self._store.carried.origin_of(row.edition, row.arrived)
            if row.edition in self._bundled
            else None,
            text="",
            **found,
        )


def _ids(entries: Iterable[Entry]) -> set[int]:
    return {entry.id for entry in entries}


def _foreign(store: Store, entries: Iterable[Entry]) -> set[int]:
    """Return the entrants whose bots did not come with the arena."""
    submitted = {bot.hash for bot in store.bots.all()}
    return _ids(each for each in entries if each.version == 0 or each.hash in submitted)


def _beaten(row: MatchRow) -> list[int]:
    """Return the entrants that did not win."""
    return [seat for seat, rank in zip(row.seats, row.ranks, strict=True) if rank > 1]


def _repeating(rows: Iterable[MatchRow]) -> Iterator[MatchRow]:
    """Yield each match that repeats an earlier one, with the id of the earlier match."""
    earlier: dict[tuple[tuple[int, ...], int], str] = {}  # by who sat where, and what was played
    for row in rows:
        first = earlier.setdefault((row.seats, row.moves_hash), row.id)
        if first != row.id:
            yield row._replace(repeats=first)
