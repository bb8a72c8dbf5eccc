"""The matches of a home, as lists."""

from __future__ import annotations

import heapq
import itertools
import json
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from arena.results.standings import (
    canonical,
    check_home,
    choose_all,
    since_time,
    where_text,
)
from arena.store import Store, open_home
from arena.store.entrants import Entry, those_meant
from arena.store.match_rows import Meanings
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
    with open_home(check_home(home, tournament, game)) as store:
        editions = [] if merged else choose_all(store, tournament)
        where = where_text(editions, tournament)
        kind = canonical(game)
        newest = limit is not None and not duplicates
        found = []
        owners: list[int | None] = [edition.id for edition in editions]
        for owner in owners or [None]:
            entries = store.tournaments.entries(owner)
            wanted = None if bot is None else those_meant(entries, [bot], where)
            fits = _Fits(
                wanted=wanted,
                losers=(wanted or _foreign(store, entries) or _ids(entries)) if lost else None,
                among=those_meant(entries, bots, where) if bots else None,
                by=by,
                game=kind,
                begin=begin,
            )
            every = store.matches.read(owner, newest=newest, texts=scores and limit is None)
            found.append(_fitting(every, fits, duplicates))
        listing, rows = Listing(store), _joined(found, limit, duplicates)
        return (
            ", ".join([edition.label for edition in editions]) or None,
            [listing.row(row, scores=scores) for row in rows],
        )


class _Fits(NamedTuple):
    """Which matches are meant: of these entrants, lost by one of those, and so on.

    Entrants are ids; all who played have to be ``among`` some.
    """

    wanted: set[int] | None
    losers: set[int] | None
    among: set[int] | None
    by: str | None
    game: str | None
    begin: str | None

    def __call__(self, row: MatchRow) -> bool:
        return (
            self.by in (None, row.by)
            and self.game in (None, row.game)
            and (self.wanted is None or not self.wanted.isdisjoint(row.seats))
            and (self.among is None or self.among.issuperset(row.seats))
            and (self.begin is None or row.started >= self.begin)
            and (
                self.losers is None
                or any(
                    rank > 1 and seat in self.losers
                    for seat, rank in zip(row.seats, row.ranks, strict=True)
                )
            )
        )


class Listing:
    """Says of matches what lists show beside what their rows say."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._editions = Meanings(store.tournaments.get)
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
            tournament=self._editions[row.edition].label,
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


def _fitting(
    rows: Generator[MatchRow, None, None], fits: _Fits, duplicates: bool
) -> Generator[MatchRow, None, None]:
    """Yield the matches that are meant; if that is asked, those that repeat others of theirs."""
    earlier: dict[tuple[tuple[int, ...], int], str] = {}  # by who sat where, and what was played
    with closing(rows):
        for row in rows:
            if duplicates:
                first = earlier.setdefault((row.seats, row.moves_hash), row.id)
                if first == row.id:
                    continue
                row = row._replace(repeats=first)
            if fits(row):
                yield row


def _joined(
    found: Sequence[Generator[MatchRow, None, None]], limit: int | None, duplicates: bool
) -> Iterable[MatchRow]:
    """Return the matches of some tournaments, or those of them that were stored last."""
    if limit is None:
        return itertools.chain(*found)
    if duplicates:
        return heapq.nlargest(limit, itertools.chain(*found), key=lambda row: row.arrived)
    rows = [*itertools.islice(heapq.merge(*found, key=lambda row: -row.arrived), limit)]
    for each in found:
        each.close()
    return rows
