"""What tables are made from: results in schedule order, and the folds over them that were kept.

A kept fold saves reading every match again. It is no more than a cache: where it cannot be written,
nothing is lost but time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from arena.crash import cross
from arena.errors import StoreError
from arena.packed.text import HASH_BYTES
from arena.store.access import BUSY_SECONDS
from arena.store.checksums import LISTED, SOUND, row_hash
from arena.store.entrants import Entry, label_of, read_entries, read_out
from arena.store.match_rows import Meanings, fault_pairs, numbers, whole_rows
from arena.store.sqlite import Database
from arena.tables import OutRow, Played, Position, Result

__all__ = ["COLUMNS", "Checkpoint", "Folds"]

_LAST = 1 << 62
DEALS = 1000  # if these are all different, there are some hundred thousand or more
_LATE = 20_000  # more new matches than this are not searched for late ones
_PATIENCE = 0.25  # seconds that a look at a table waits to be kept, while a runner writes

# the indexes of these columns in a row of ``whole_rows``
_NUMBER, _GAME, _ENTRANTS, _RANKS = map(LISTED.index, ("number", "game", "entrants", "ranks"))
_FAULTS, _ANSWERS, _CHARGED_US = map(LISTED.index, ("faults", "answers", "charged_us"))
_BLOCK, _PLAY = map(LISTED.index, ("block", "play"))
COLUMNS = (
    "kind, tournament, game, complete, last_tournament, last_number, seen, text, matches, basis"
)
_ONE = "kind = ? AND tournament = ? AND game = ? AND complete = ?"
# how many matches of a scope were stored, and how many there are from one position to another
_STORED = "SELECT coalesce(sum(matches), 0) FROM tally WHERE ? IS NULL OR tournament = ?"
_BEHIND = (
    "SELECT count(*) FROM match WHERE (tournament, number) > (?, ?)"
    " AND (tournament, number) < (?, ?)"
)


class Checkpoint(NamedTuple):
    """A fold as text, up to and with the match at ``last``.

    ``complete``: no match is missing up to there, so none can come late. ``seen`` is what
    ``Folds.newest`` was, ``matches`` how many of the scope were stored up to ``last``, those of
    other games too. ``more`` reads what was kept beside the text, in the same snapshot; ``None``:
    it is damaged.
    """

    last: Position
    seen: int
    complete: bool
    text: str
    matches: int = 0
    more: Callable[[], bytes | None] = bytes


class Folds:
    """The counted results of a scope, and its kept folds.

    A scope is one tournament, by ``Edition.id``, or all of them one after the other (``None``);
    and one game of it, or all (``None``). Entrants have keys: their names, and with all tournaments
    what tells apart bots of one name.
    """

    def __init__(
        self,
        database: Database,
        *,
        tournaments: Collection[int] | None = None,
        bots: Collection[str] = (),
        matches: Collection[Position] | None = None,
    ) -> None:
        """Take the results of a store, or some of them, of which nothing is kept.

        Args:
            database: the store.
            tournaments: only those of these, by ``Edition.id``; ``None``: of all.
            bots: only those of these with one another, by name or ``NAME@VERSION``; none: of all.
            matches: only those of these; ``None``: of all.
        """
        self._database = database
        self._tournaments, self._bots, self._matches = tournaments, bots, matches
        self._keeps = tournaments is None and matches is None and not bots
        self.some = partial(Folds, database)

    def snapshot(self) -> AbstractContextManager[object]:
        """Return a block within which everything read here belongs together."""
        return self._database.snapshot()

    def newest(self) -> int:
        """Return a number that grows with every match stored."""
        (seq,) = self._database.row("SELECT coalesce(max(seq), 0) FROM record")
        return int(seq)

    def basis(self, tournament: int | None) -> str:
        """Return a text that changes with which matches count and how they are numbered.

        A fold is right for the basis on which it was made, and for no other.
        """
        editions = self._database.rows(
            "SELECT id, fingerprint, coalesce(stop, '') FROM tournament"
            f" WHERE id = ?1 OR ?1 IS NULL AND {SOUND} ORDER BY id",
            (tournament,),
        )
        parts = [" ".join(map(str, row)) for row in editions]
        return "; ".join(
            [*parts, "out " + " ".join(map(str, read_out(self._database, tournament)))]
        )

    def entrants(self, tournament: int | None) -> dict[str, tuple[str, int]]:
        """Return the key of each entrant who is not out, with its name and its bot's version.

        Of chosen matches, only who played in them.
        """
        entries = self._entries(tournament)
        keys = self._keys(tournament, entries)
        found = {keys[e.id]: (e.name, e.version) for e in entries if e.id in keys}
        if self._matches is None:
            return found
        played = {name for _, _, names, *_ in self.played(tournament) for name in names}
        return {key: found[key] for key in found if key in played}

    def out(self, tournament: int | None) -> tuple[OutRow, ...]:
        """Return who is out, each with why; over all tournaments, also of which."""
        found = []
        for entry in self._entries(tournament):
            if not entry.is_out:
                continue
            what = "suspended" if entry.state else "taken out"
            if tournament is None:
                label = label_of(self._database, entry.tournament)
                what += f" {'in' if entry.state else 'of'} {label}"
            why = f"{what}: {entry.state}" if entry.state else what
            found.append(OutRow(entry.name, entry.version, why))
        return tuple(found)

    def results(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: Position | None = None,
        before: Position | None = None,
    ) -> Iterator[Result]:
        """Yield the counted results in schedule order: no match of anybody who is out.

        Args:
            tournament: which; ``None``: all, in the order they were begun.
            game: which; ``None``: all.
            after: begin behind this match.
            before: end in front of this match.

        Raises:
            StoreError: a match that was read is damaged; or one is missing, where a tournament is
                read from its start on.
        """
        counts, faults = Meanings(numbers), Meanings(fault_pairs)
        for position, names, row in self._rows(tournament, game, after, before, listed=False):
            yield (
                position,
                names,
                counts[row[_RANKS]],
                faults[row[_FAULTS]],
                counts[row[_ANSWERS]],
                tuple(map(int, row[_CHARGED_US].split(","))),
            )

    def played(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: Position | None = None,
        before: Position | None = None,
    ) -> Iterator[Played]:
        """Yield the same matches as ``results``, with what blocks are counted by."""
        counts = Meanings(numbers)
        for position, names, row in self._rows(tournament, game, after, before, listed=True):
            yield position, row[_BLOCK], names, counts[row[_RANKS]], row[_PLAY]

    def both(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: Position | None = None,
        before: Position | None = None,
    ) -> Iterator[tuple[Result, Played]]:
        """Yield what ``results`` and ``played`` yield, of one reading."""
        counts, faults = Meanings(numbers), Meanings(fault_pairs)
        for position, names, row in self._rows(tournament, game, after, before, listed=True):
            ranks, charged_us = counts[row[_RANKS]], tuple(map(int, row[_CHARGED_US].split(",")))
            result = position, names, ranks, faults[row[_FAULTS]], counts[row[_ANSWERS]], charged_us
            yield result, (position, row[_BLOCK], names, ranks, row[_PLAY])

    def _rows(
        self,
        tournament: int | None,
        game: str | None,
        after: Position | None,
        before: Position | None,
        *,
        listed: bool,
    ) -> Iterator[tuple[Position, tuple[str, ...], tuple[Any, ...]]]:
        """Yield each match that counts: its position, its entrants' keys, and its row."""
        keys, matches = self._keys(tournament, self._entries(tournament)), self._matches
        seats = Meanings(lambda text: _seated(numbers(text), keys))
        for owner, begin, end in self._ranges(tournament, after, before):
            for row in whole_rows(self._database, owner, after=begin, listed=listed):
                position = owner, row[_NUMBER]
                if position[1] >= end:
                    break
                names = seats[row[_ENTRANTS]]
                if names is None or game not in (None, row[_GAME]):
                    continue
                if matches is None or position in matches:
                    yield position, names, row

    def _entries(self, tournament: int | None) -> list[Entry]:
        among = self._tournaments
        entries = read_entries(self._database, tournament)
        return [entry for entry in entries if among is None or entry.tournament in among]

    def _keys(self, tournament: int | None, entries: Iterable[Entry]) -> dict[int, str]:
        """Return the keys of those whose matches with one another count, by their numbers."""
        return {
            entry.id: f"{entry.name} {entry.hash} {json.dumps(entry.args)}"
            if tournament is None
            else entry.name
            for entry in entries
            if not entry.is_out
            and (not self._bots or not {entry.name, entry.called}.isdisjoint(self._bots))
        }

    def _ranges(
        self, tournament: int | None, after: Position | None, before: Position | None
    ) -> Iterator[tuple[int, int | None, int]]:
        """Yield each tournament of a scope: begin behind this number, end in front of that one."""
        scope = self._database.rows(
            f"SELECT id, stop FROM tournament WHERE (id = ?1 OR ?1 IS NULL AND {SOUND})"
            " AND id >= ?2 AND id <= ?3 ORDER BY id",
            (tournament, after[0] if after else 0, before[0] if before else _LAST),
        )
        for owner, stop in tuple(scope):
            if self._tournaments is not None and owner not in self._tournaments:
                continue
            end = _LAST if stop is None else stop
            if before is not None and owner == before[0]:
                end = min(end, before[1])
            yield owner, after[1] if after is not None and owner == after[0] else None, end

    def is_dealt_once(self, tournament: int, game: str) -> bool:
        """Return whether hardly any deal of a game comes twice, however many there are.

        It takes ``DEALS`` deals to find out, and is false where the game is not installed.
        """
        from engines import EngineError, load_game

        (config,) = self._database.row("SELECT config FROM tournament WHERE id = ?", (tournament,))
        if json.loads(config).get("opening", {}).get("setups") is not None:
            return False  # a file of setups, one after the other, and again from the first
        try:
            rules = load_game(game)
            return len({rules.setup(seed) for seed in range(DEALS)}) == DEALS
        except EngineError:
            return False

    def first_gap(self, tournament: int, after: int = -1) -> int:
        """Return the first schedule number above ``after`` whose match is still to be played.

        Matches of who is out are never played; a runner notes how far no other is missing. Where
        nothing is kept, nobody need know: it is the next number.
        """
        if not self._keeps:
            return after + 1
        row = self._database.row("SELECT complete FROM tournament WHERE id = ?", (tournament,))
        first = max(after + 1, 0 if row is None else row[0])
        (last,) = self._database.row(
            "SELECT max(number) FROM match WHERE tournament = ? AND number BETWEEN ? AND ?",
            (tournament, first, _LAST),  # what is no number is beyond all of them
        )
        end = first if last is None else last + 2  # so the last one there is missing
        while first < end - 1:  # none is missing below `first`, one below `end`
            middle = (first + end) // 2
            (found,) = self._database.row(
                "SELECT count(*) FROM match WHERE tournament = ? AND number >= ? AND number < ?",
                (tournament, first, middle),
            )
            first, end = (middle, end) if found == middle - first else (first, middle)
        return first

    def any_kept(self, tournament: int | None, game: str | None) -> bool:
        """Return whether any fold of a scope is kept, whether it holds or not."""
        there = "SELECT 1 FROM fold WHERE tournament = ? AND game = ? LIMIT 1"
        return self._keeps and self._database.row(there, (tournament or 0, game or "")) is not None

    def kept(
        self, kind: str, tournament: int | None, game: str | None, basis: str
    ) -> list[Checkpoint]:
        """Return the kept folds that still hold, the furthest first.

        A damaged one does not hold: it is made again from the matches.

        Raises:
            StoreError: matches are missing, of those in a fold or of those behind it.
        """
        if not self._keeps:
            return []
        rows = self._database.rows(
            f"SELECT {COLUMNS}, row_hash FROM fold"
            " WHERE kind = ? AND tournament = ? AND game = ? AND basis = ?"
            " ORDER BY last_tournament DESC, last_number DESC",
            (kind, tournament or 0, game or "", basis),
        )
        folds = [self._read(row) for row in rows if _is_sound(row)]
        return [
            fold
            for fold in folds
            if (fold.complete or not self._is_late(fold, tournament))
            and self._is_whole(fold, tournament)
        ]

    def damaged(self, tournament: int) -> int:
        """Return how many kept folds of a tournament are damaged; none of them is used."""
        rows = self._database.rows(
            f"SELECT {COLUMNS}, row_hash, more, more_hash FROM fold WHERE tournament = ?",
            (tournament,),
        )
        return sum(
            not (_is_sound(tuple(row)) and _hash(more) == found) for *row, more, found in rows
        )

    def keep(
        self,
        kind: str,
        tournament: int | None,
        game: str | None,
        *,
        last: Position,
        seen: int,
        complete: bool,
        text: str,
        basis: str,
        more: bytes | None = b"",
    ) -> None:
        """Keep a fold in place of an older one, if the store can be written now.

        Args:
            kind: what is folded.
            tournament: the scope's.
            game: the scope's.
            last: up to which match.
            seen: what ``Folds.newest`` was when the matches were read.
            complete: whether no match is missing up to there.
            text: the fold.
            basis: what ``Folds.basis`` was.
            more: what is read only to go on; ``None``: the same as it is kept with, up to ``last``.
        """
        if not self._keeps:
            return
        try:
            self._database.impatient(_PATIENCE)
            with self._database.writing() as execute:
                there = "SELECT 1 FROM tournament WHERE ? IS NULL OR id = ?"
                if execute(there, (tournament, tournament)).fetchone() is None:
                    return  # it was removed meanwhile
                (matches,) = execute(
                    f"SELECT ({_STORED}) - ({_BEHIND})",
                    (tournament, tournament, *last, *_end(tournament)),
                ).fetchone()
                seen = min(seen, self.newest())  # another was removed meanwhile
                one = (kind, tournament or 0, game or "", int(complete))
                row = (*one, *last, seen, text, matches, basis)
                if more is None:
                    execute(
                        "UPDATE fold SET seen = ?, text = ?, matches = ?, row_hash = ?"
                        f" WHERE {_ONE} AND last_tournament = ? AND last_number = ? AND basis = ?",
                        (seen, text, matches, row_hash(row), *one, *last, basis),
                    )
                else:
                    execute(
                        f"INSERT OR REPLACE INTO fold ({COLUMNS}, row_hash, more, more_hash)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (*row, row_hash(row), more, _hash(more)),
                    )
                cross("fold")
        except StoreError:
            pass
        finally:
            self._database.impatient(BUSY_SECONDS)

    def _read(self, row: tuple[Any, ...]) -> Checkpoint:
        kind, tournament, game, complete, owner, number, seen, text, matches, _, _ = row
        more = partial(self._more, (kind, tournament, game, complete))
        return Checkpoint((owner, number), seen, bool(complete), text, matches, more)

    def _more(self, one: tuple[str, int, str, int]) -> bytes | None:
        row = self._database.row(f"SELECT more, more_hash FROM fold WHERE {_ONE}", one)
        return row[0] if row is not None and _hash(row[0]) == row[1] else None

    def _is_whole(self, fold: Checkpoint, tournament: int | None) -> bool:
        """Whether as many matches were stored as there were up to a fold and are behind it.

        If not, a match of somebody who is out came in late, or the store is damaged. Folding all
        again, which counts every match, finds out which.
        """
        if fold.seen > self.newest():
            raise self._database.damaged("matches are missing in its table match or record")
        stored, behind = self._database.row(
            f"SELECT ({_STORED}), ({_BEHIND})",
            (tournament, tournament, *fold.last, *_end(tournament)),
        )
        return bool(fold.matches + behind == stored)

    def _is_late(self, fold: Checkpoint, tournament: int | None) -> bool:
        """Whether a match came in after a fold was made, and belongs into the midst of it."""
        if self.newest() - fold.seen > _LATE:
            return True  # perhaps: finding out would take longer than folding
        row = self._database.row(
            "SELECT 1 FROM record WHERE seq > ? AND (? IS NULL OR tournament = ?)"
            " AND (tournament, number) < (?, ?) LIMIT 1",
            (fold.seen, tournament, tournament, *fold.last),
        )
        return row is not None


def _is_sound(row: tuple[Any, ...]) -> bool:
    return bool(row_hash(row[:-1]) == row[-1])


def _hash(data: bytes) -> bytes:
    """Return the hash of what is kept beside a text; of nothing, nothing."""
    return data and blake2b(data, digest_size=HASH_BYTES).digest()


def _end(tournament: int | None) -> tuple[int, int]:
    """Return a position behind all of a scope."""
    return (_LAST if tournament is None else tournament, _LAST)


def _seated(entrants: tuple[int, ...], keys: Mapping[int, str]) -> tuple[str, ...] | None:
    """Return the keys of those in a match; ``None`` if somebody is out, who has none."""
    found = tuple([keys[entrant] for entrant in entrants if entrant in keys])
    return found if len(found) == len(entrants) else None
