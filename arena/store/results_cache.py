"""What tables are made from: results in schedule order, and the cache of what was made of them.

The cache saves reading every match again; where it cannot be written, nothing is lost but time. A
process that only reads has it in memory.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Collection, Generator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from arena.database.access import reads_only
from arena.database.schema import NOT_REMOVED
from arena.database.sqlite import Database
from arena.machine.crash import cross
from arena.store.entrants import Entry, label_of, plainly_named, read_entries
from arena.store.match_rows import read_matches
from arena.values.errors import StoreError
from arena.values.tables import MatchRow, OutRow, Position

LATE = 1000  # matches of a tournament that goes on, before which hardly any comes in
_LAST = 1 << 62

# how many matches of a scope were stored, and how many there are behind a position
_STORED = "SELECT coalesce(sum(matches), 0) FROM tally WHERE ? IS NULL OR tournament = ?"
_PENDING = (
    "SELECT count(*) FROM match WHERE (tournament, number) > (?, ?)"
    " AND (tournament, number) < (?, ?)"
)


# the cache of a process that only reads, by store, tournament and game
_in_memory: dict[tuple[Path, int, str], tuple[CacheMark, Mapping[str, bytes]]] = {}


class CacheMark(NamedTuple):
    """Up to where what is cached goes, and what that says of its scope.

    Attributes:
        last: the position of the last match that is stored before ``end``.
        end: the position of the first match that may still come in; ``None``: all did.
        matches: how many of the scope are stored up to ``last``, those of other games too.
        key: which matches counted; see ``ResultsCache.key``.
    """

    last: Position
    end: Position | None
    matches: int
    key: str


class CachedResults(NamedTuple):
    """What is cached and holds: no match was stored in its midst, and the same ones count.

    Attributes:
        part: returns a part of it by its name, if that was kept.
        covers: the position up to which it goes.
        pending: how many matches of the scope are behind that.
    """

    part: Callable[[str], bytes | None]
    covers: Position
    pending: int

    def read(self, **parts: Callable[[bytes], Any]) -> list[Any] | None:
        """Return what parts of it mean; ``None`` if one was not kept, or cannot be read."""
        try:
            found = [read(data) for name, read in parts.items() if (data := self.part(name))]
        except (ValueError, TypeError, LookupError, AttributeError):
            return None
        return found if len(found) == len(parts) else None


class ResultsCache:
    """The counted results of a scope, and what is cached of them.

    A scope is one tournament, by ``Edition.id``, or all of them one after the other (``None``);
    and one game of it, or all (``None``). Entrants have keys: their names, and with all tournaments
    what tells apart bots of one name.
    """

    def __init__(
        self,
        database: Database,
        *,
        tournaments: Collection[int] | None = None,
        among: set[int] | None = None,
        fits: Callable[[MatchRow], bool] | None = None,
    ) -> None:
        """Take the results of a store, or some of them, of which nothing is kept.

        Args:
            database: the store.
            tournaments: only those of these, by ``Edition.id``; ``None``: of all.
            among: only those of these with one another, by ``Entry.id``; ``None``: of all.
            fits: only those of matches of which this is true; ``None``: of all.
        """
        self._database = database
        self._tournaments, self._among, self._fits = tournaments, among, fits
        self._keeps = tournaments is None and fits is None and among is None
        self.some = partial(ResultsCache, database)

    def key(self, tournament: int | None) -> str:
        """Return a text that changes with which matches count and how they are numbered.

        What is cached is right for the key with which it was made, and for no other.
        """
        editions = self._database.rows(
            "SELECT id, fingerprint, created, coalesce(stop, '') FROM tournament"
            f" WHERE id = ? OR ? IS NULL AND {NOT_REMOVED} ORDER BY id",
            (tournament, tournament),
        )
        parts = [" ".join(map(str, row)) for row in editions]
        entries = read_entries(self._database, tournament)
        numbers = sorted(entry.id for entry in entries if entry.is_out)
        versions = [entry.id for entry in entries if entry.replaced]  # which got others numbers
        return "; ".join([*parts, f"out {numbers}", f"replaced {versions}"])

    def entrants(self, tournament: int | None) -> dict[str, tuple[str, int]]:
        """Return the key of each entrant that is not out, with its name and its bot's version.

        Of chosen matches, only who played in them.
        """
        entries = self.entered(tournament)
        found = {key: (entry.name, entry.version) for key, entry in entries}
        if self._fits is None:
            return found
        played = {key for row in self.results(tournament) for key in row.entrants}
        return {key: found[key] for key in found if key in played}

    def entered(self, tournament: int | None) -> list[tuple[str, Entry]]:
        """Return the entrants that are not out, each with its key, which several may share."""
        return [
            (_key(tournament, entry), entry)
            for entry in self._entries(tournament)
            if not entry.is_out and (self._among is None or entry.id in self._among)
        ]

    def out(self, tournament: int | None) -> tuple[OutRow, ...]:
        """Return the entrants that are out, each with why; over all tournaments, also of which."""
        found, entries = [], self._entries(tournament)
        plays = {(one.tournament, one.name): one.version for one in entries if not one.replaced}
        for entry in entries:
            if not entry.is_out:
                continue
            by = plays[entry.tournament, entry.name] if entry.replaced else 0
            what = "is suspended" if entry.state else "was taken out by the organiser"
            what = f"was replaced by version {by} ({entry.replaced[:10]})" if by else what
            if tournament is None:
                what += f" in {label_of(self._database, entry.tournament)}"
            why = f"{what}: {entry.state}" if entry.state and not by else what
            found.append(OutRow(entry.name, entry.version, why, by))
        return tuple(found)

    def results(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: Position | None = None,
        before: Position | None = None,
        texts: bool = False,
    ) -> Generator[MatchRow, None, None]:
        """Yield the counted results in schedule order: no match of an entrant that is out.

        Args:
            tournament: which; ``None``: all, in the order they were begun.
            game: which; ``None``: all.
            after: begin behind this match.
            before: end in front of this match.
            texts: with ids and records.

        Raises:
            StoreError: a match that was read is damaged; or one is missing, where a tournament is
                read from its start on.
        """
        entries = self._entries(tournament)
        called = {entry.id: _key(tournament, entry) for entry in entries}
        which: list[int | None] = [*sorted(self._tournaments or ())] or [tournament]
        more: dict[str, Any] = {"ids": texts, "texts": texts, "called": called}
        for owner in which:
            for row in read_matches(self._database, owner, after=after, before=before, **more):
                if (
                    row.counted
                    and game in (None, row.game)
                    and (self._among is None or self._among.issuperset(row.seats))
                    and (self._fits is None or self._fits(row))
                ):
                    yield row

    def _entries(self, tournament: int | None) -> list[Entry]:
        among = self._tournaments
        entries = plainly_named(read_entries(self._database, tournament))
        return [entry for entry in entries if among is None or entry.tournament in among]

    def _first_gap(self, tournament: int, after: int) -> int:
        """Return the first schedule number above ``after`` whose match is still to be played.

        It is one among the newest matches: what was not played before them seldom is, and matches
        of who is out are never.
        """
        sql = "SELECT number FROM match WHERE tournament = ? ORDER BY number DESC LIMIT ?"
        newest = [number for (number,) in self._database.rows(sql, (tournament, LATE))]
        gap, late = after + 1, {*newest}
        if len(newest) == LATE:
            gap = max(gap, newest[-1])
        while gap in late:
            gap += 1
        return gap

    def mark(self, tournament: int | None, after: Position | None = None) -> CacheMark | None:
        """Return up to where results of a scope may be cached; ``None``: none of them may be.

        Args:
            tournament: the scope's.
            after: up to where one is kept.
        """
        if not self._keeps:
            return None
        end = None
        if tournament is not None:
            (ended,) = self._database.row(
                "SELECT max(ended) FROM tournament WHERE id = ?", (tournament,)
            )
            if ended is None:
                end = tournament, self._first_gap(tournament, -1 if after is None else after[1])
        last = self._database.row(
            "SELECT tournament, number FROM match WHERE (tournament, number) > (?, ?)"
            " AND (tournament, number) < (?, ?) ORDER BY tournament DESC, number DESC LIMIT 1",
            (tournament or 0, -_LAST, *(end or _end(tournament))),
        )
        if last is None:
            return None
        stored, pending = self._counts(tournament, last)
        return CacheMark(last, end, stored - pending, self.key(tournament))

    def kept(self, tournament: int | None, game: str | None) -> CachedResults | None:
        """Return what is cached of a scope, if it holds.

        It does while as many matches are stored up to its last one as there were.

        Raises:
            StoreError: matches are missing.
        """
        if not self._keeps:
            return None
        where = tournament or 0, game or ""
        mark, parts = _in_memory.get((self._database.path, *where), (None, {}))
        if mark is not None and (pending := self._pending(tournament, mark)) is not None:
            return CachedResults(parts.get, mark.last, pending)
        row = self._database.row(
            "SELECT last_tournament, last_number, matches, key FROM cache"
            " WHERE tournament = ? AND game = ?",
            where,
        )
        if row is None:
            return None
        mark = CacheMark((row[0], row[1]), None, row[2], row[3])
        pending = self._pending(tournament, mark)
        part = partial(self._part, where)
        return None if pending is None else CachedResults(part, mark.last, pending)

    def _pending(self, tournament: int | None, mark: CacheMark) -> int | None:
        """Return how many matches are behind what is cached; ``None`` if it does not hold."""
        if mark.key != self.key(tournament):
            return None
        stored, pending = self._counts(tournament, mark.last)
        return pending if stored - pending == mark.matches else None

    def _part(self, where: tuple[int, str], name: str) -> bytes | None:
        sql = "SELECT data FROM cache_part WHERE tournament = ? AND game = ? AND part = ?"
        row = self._database.row(sql, (*where, name))
        return None if row is None else row[0]

    def keep(
        self, tournament: int | None, game: str | None, mark: CacheMark, parts: Mapping[str, bytes]
    ) -> None:
        """Cache something in place of what was cached, if the store can be written then.

        Where it was opened for reading, that is when it is closed. It is not kept where what it is
        made from has changed meanwhile.

        Args:
            tournament: the scope's.
            game: the scope's.
            mark: up to where it goes.
            parts: what was made, by the names that ``CachedResults.read`` takes.
        """
        where = tournament or 0, game or ""

        def write() -> None:
            with contextlib.suppress(StoreError), self._database.writing() as execute:
                if self._pending(tournament, mark) is None:
                    return
                execute(
                    "INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?, ?, ?)",
                    (*where, *mark.last, mark.matches, mark.key),
                )
                insert = "INSERT OR REPLACE INTO cache_part VALUES (?, ?, ?, ?)"
                for part in parts.items():
                    execute(insert, (*where, *part))
                cross("cache", tournament=where[0])

        if reads_only():
            _in_memory[(self._database.path, *where)] = mark, parts
        else:
            self._database.afterwards(write)

    def _counts(self, tournament: int | None, last: Position) -> tuple[int, int]:
        """Return how many matches of a scope were stored, and how many are behind a position."""
        where = (tournament, tournament, *last, *_end(tournament))
        stored, pending = self._database.row(f"SELECT ({_STORED}), ({_PENDING})", where)
        return stored, pending


def _end(tournament: int | None) -> Position:
    """Return a position behind all of a scope."""
    return (_LAST if tournament is None else tournament, _LAST)


def _key(tournament: int | None, entry: Entry) -> str:
    """Return what tells an entrant apart from the others of a scope."""
    if tournament is None:
        return f"{entry.name} {entry.hash} {json.dumps(entry.args)}"
    return entry.name
