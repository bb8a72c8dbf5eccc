"""Matches in the store: written once each, listed, counted and found again by their ids."""

from __future__ import annotations

import json
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from itertools import chain

# a record's text is Any until it becomes one of our values
from typing import TYPE_CHECKING, NamedTuple

from arena.database.schema import NOT_REMOVED
from arena.database.sqlite import Database
from arena.machine.crash import cross
from arena.packed.record_text import Dictionary
from arena.schedule.settled import Settled
from arena.store.dictionaries import DamagedDictionary, newest_dictionary
from arena.store.entrants import Entry, label_of, meant, read_entries, read_out
from arena.store.match_rows import (
    Meanings,
    Row,
    altered,
    count_matches,
    damaged_dictionary,
    insert_match,
    played_numbers,
    read_rows,
    record_text,
)
from arena.store.origins import Origins
from arena.values.errors import RecordError, StoreError
from arena.values.tables import MatchRow

if TYPE_CHECKING:
    from arena.packed.match import StoredMatch
    from arena.values.model import MatchResult, Record

__all__ = ["MatchFilter", "Matches", "Undecided"]

_CANDIDATES = 5  # named when an id's beginning fits several matches
_MANY = 1 << 62
_NOT_KEPT = "; matches of arena play are not kept: play it with --record FILE, and name the file"
# what a row of ``match`` says, and its record too
_OF_RECORD = ("game", "ranks", "faults", "answers", "block", "seating", "by", "play", "started")


class Undecided(NamedTuple):
    """A match that could not be played to its end, for no fault of a bot."""

    id: str
    number: int
    reason: str


class MatchFilter(NamedTuple):
    """Which matches are meant; all of them, where nothing is said.

    Attributes:
        bot: those of this entrant; where nobody has that name, of the entrants with this bot
            (``NAME``, ``NAME@VERSION``).
        by: those that ended so.
        game: those of this game, by its canonical name.
        lost: those that one of the entrants of ``bot`` lost; if there is no ``bot``, one of those
            that did not come with the arena; if all did, any.
    """

    bot: str | None = None
    by: str | None = None
    game: str | None = None
    lost: bool = False


EVERY_MATCH = MatchFilter()


class Matches:
    """What the store knows of matches; ``tournament`` arguments are ``Edition.id``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ids: dict[int, dict[str, str]] = {}  # of entrants, by tournament and name

    # writing

    def add(self, tournament: int, *matches: MatchResult | StoredMatch) -> int:
        """Store finished matches, in one transaction: all of them or none.

        A match that is there already, by its id, stays as it is.

        Returns:
            How many were stored.

        Raises:
            ValueError: a match is void.
            StoreUnavailable: the store is locked or full; it may be tried again.
            StoreError: it cannot be written, or another match has such a number, or an entrant is
                not entered.
        """
        packed = [self._packed(tournament, match) for match in matches]
        seats = [self._seats(tournament, match) for match in packed]
        stored = 0
        with self._database.writing() as execute:
            for match, entrants in zip(packed, seats, strict=True):
                stored += insert_match(execute, tournament, match, entrants)
            if stored:
                count_matches(execute, tournament, stored)
        return stored

    def dictionary(self, tournament: int) -> Dictionary:
        """Return what the records of a tournament are packed with from now on.

        Raises:
            StoreError: it is damaged.
        """
        try:
            return newest_dictionary(self._database.row, tournament)
        except DamagedDictionary:
            raise damaged_dictionary(self._database) from None

    def _packed(self, tournament: int, match: MatchResult | StoredMatch) -> StoredMatch:
        # how records are made takes 20 ms to import, and readers do without
        from arena.packed.match import StoredMatch, pack

        return match if isinstance(match, StoredMatch) else pack(match, self.dictionary(tournament))

    def add_void(self, tournament: int, match: str, reason: str, at: str) -> int:
        """Keep that an attempt to play a match was void; return how many there were so far."""
        with self._database.writing() as execute:
            (attempt,) = execute(
                "SELECT coalesce(max(attempt), 0) + 1 FROM void WHERE tournament = ? AND id = ?",
                (tournament, match),
            ).fetchone()
            execute(
                "INSERT INTO void (tournament, id, attempt, reason, at) VALUES (?, ?, ?, ?, ?)",
                (tournament, match, attempt, reason, at),
            )
        return int(attempt)

    def give_up(self, tournament: int, match: str, number: int, reason: str) -> None:
        """List a match as undecided; it leaves that list when it is played after all."""
        with self._database.writing() as execute:
            execute(
                "INSERT INTO undecided (tournament, id, number, reason) VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET number = excluded.number, reason = excluded.reason",
                (tournament, match, number, reason),
            )
            cross("undecided")

    # reading

    def settled(self, tournament: int, undecided: bool = False) -> Settled:
        """Return the schedule numbers that were played.

        Args:
            tournament: which.
            undecided: those of undecided matches, too.

        Raises:
            StoreError: a match is missing.
        """
        settled = Settled(played_numbers(self._database, tournament))
        for match in self.undecided(tournament) if undecided else ():
            settled.add(match.number)
        return settled

    def undecided(self, tournament: int) -> list[Undecided]:
        """Return the matches that were given up, in schedule order."""
        rows = self._database.rows(
            "SELECT id, number, reason FROM undecided"
            " WHERE tournament = ? AND id NOT IN (SELECT id FROM record) ORDER BY number",
            (tournament,),
        )
        return [Undecided(*row) for row in rows]

    def count(self, tournament: int) -> int:
        """Return how many matches were stored, as they were counted; none is read."""
        row = self._database.row("SELECT matches FROM tally WHERE tournament = ?", (tournament,))
        return 0 if row is None else int(row[0])

    def count_void(self, tournament: int) -> int:
        """Return how many attempts to play a match were void."""
        sql = "SELECT count(*) FROM void WHERE tournament = ?"
        return int(self._database.row(sql, (tournament,))[0])

    def texts(
        self, tournament: int | None = None, counted: bool = True
    ) -> Generator[str, None, None]:
        """Yield the records' texts in schedule order; all tournaments' one after the other.

        Args:
            tournament: which; ``None``: all.
            counted: leave out the matches past an early stop, and those of entrants who are out.
        """
        out = set(read_out(self._database, tournament)) if counted else set()
        for owner, stop in self._scopes(tournament):
            for row in read_rows(self._database, owner, texts=True):
                if counted and stop is not None and row.number >= stop:
                    break
                if not out or out.isdisjoint(row.entrants):
                    yield row.text

    def inspected(self, tournament: int) -> Iterator[Row]:
        """Yield everything about a tournament's matches, those that are damaged too.

        Raises:
            StoreError: matches are missing.
        """
        return read_rows(self._database, tournament, texts=True, damaged=True)

    def inspect(self, prefix: str) -> Row:
        """Return everything about the one match whose id begins with ``prefix``, damaged or not.

        Raises:
            RecordError: none or several do; the message names candidates.
            StoreError: the store is damaged.
        """
        match, tournament, number, *_ = self._find(prefix)
        for row in read_rows(self._database, tournament, number, texts=True, damaged=True):
            if row.damage or row.id == match:
                return row
            break
        raise self._database.damaged(f"match {match!a} is missing in its table match")

    def is_as_recorded(self, row: Row, record: Record) -> bool:
        """Whether lists and tables are made from what a match's record says.

        Times may differ by a microsecond a decision, since the record has them rounded.
        """
        from arena.packed.match import pack
        from arena.values.model import MatchResult

        packed = pack(MatchResult(row.number, record))
        seats = self._seats(row.tournament, packed)
        if seats != ",".join(map(str, row.entrants)):
            return False
        if any(getattr(packed, key) != getattr(row, key) for key in _OF_RECORD):
            return False
        times = zip(packed.charged_us, row.charged_us, row.answers, strict=True)
        return all(abs(us - found) <= answers for us, found, answers in times)

    def text(self, prefix: str) -> str:
        """Return the text of the one record whose id begins with ``prefix``.

        Raises:
            RecordError: none or several do; the message names candidates.
            StoreError: it is damaged.
        """
        match, _, _, dictionary, data, found = self._find(prefix)
        return record_text(self._database, match, dictionary, data, found)

    def id_of(self, tournament: int, number: int) -> str:
        """Return the id of the match with a schedule number.

        Raises:
            StoreError: there is none, or it is damaged.
        """
        for row in read_rows(self._database, tournament, number, ids=True):
            return row.id
        raise self._database.damaged(f"match number {number} is missing in its table match")

    def _find(self, prefix: str) -> tuple[str, int, int, int, bytes, bytes]:
        """Return id, tournament, number and what is packed of the record that is meant."""
        rows = list(
            self._database.rows(
                "SELECT id, tournament, number, dictionary, data, row_hash FROM record"
                " WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                (prefix, prefix + "\U0010ffff", _CANDIDATES + 1),
            )
        )
        if not prefix or not rows:
            raise RecordError(
                f'no match in this home has an id that begins with "{prefix}"{_NOT_KEPT}'
            )
        if len(rows) > 1 and rows[0][0] != prefix:
            named = ", ".join(str(match) for match, *_ in rows[:_CANDIDATES])
            more = ", …" if len(rows) > _CANDIDATES else ""
            raise RecordError(f'several matches begin with "{prefix}": {named}{more}')
        match, tournament, number, dictionary, data, found = rows[0]
        return match, tournament, number, dictionary, data, found

    def newest(self, tournament: int, limit: int) -> list[tuple[int, int]]:
        """Return of the matches that were stored last when, and their numbers in the schedule."""
        rows = self._database.rows(
            "SELECT seq, number FROM record WHERE tournament = ? ORDER BY seq DESC LIMIT ?",
            (tournament, limit),
        )
        return [(seq, number) for seq, number in rows]

    def number_of(self, tournament: int, match: str) -> int | None:
        """Return the number of the match of an id, if a tournament has it."""
        sql = "SELECT number FROM record WHERE id = ? AND tournament = ?"
        row = self._database.row(sql, (match, tournament))
        return None if row is None else int(row[0])

    def positions(self, ids: Iterable[str]) -> set[tuple[int, int]]:
        """Return ``(tournament, number)`` of matches, by ids or beginnings of them.

        Raises:
            RecordError: one of them is not in this home, or several begin so.
        """
        return {self._find(match)[1:3] for match in ids}

    def late(self, tournament: int | None = None) -> Iterator[tuple[tuple[int, int], list[int]]]:
        """Yield ``(tournament, number)`` of matches with late answers, and how many of each seat.

        It reads every record, some 20 s for a million.
        """
        for owner, _ in self._scopes(tournament):
            for row in read_rows(self._database, owner, texts=True):
                late = _late_of(row.text)
                if any(late):
                    yield (owner, row.number), late

    def list(
        self,
        tournament: int | None = None,
        only: MatchFilter = EVERY_MATCH,
        *,
        first: int | None = None,
        end: int = _MANY,
        scores: bool = False,
        repeats: bool = False,
        newest: bool = False,
    ) -> Generator[MatchRow, None, None]:
        """Yield matches in schedule order; all tournaments' one after the other.

        Args:
            tournament: which; ``None``: all.
            only: which of its matches.
            first: only those from this schedule number on.
            end: only those before this schedule number, of one tournament.
            scores: say what the scores were, which reads every record, some 20 s for a million.
            repeats: say which match each repeats, of those before it in its tournament.
            newest: begin with those that were stored last, all tournaments' as they came.

        Raises:
            UsageError: no entrant has the name of ``only``.
        """
        from arena.packed.moments import moment_text  # which imports what tables do without

        entries = {entry.id: entry for entry in read_entries(self._database, tournament)}
        wanted = None if only.bot is None else set(meant([*entries.values()], only.bot))
        losers: Container[Entry] = wanted or self._foreign(entries.values()) or entries.values()
        seats = Meanings[tuple[int, ...], list[Entry]](
            lambda numbers: [entries[number] for number in numbers]
        )
        stops = dict(self._scopes(tournament))
        labels = Meanings[int, str](lambda owner: label_of(self._database, owner))
        origins = Meanings[int, Origins](lambda owner: Origins(self._database, owner))
        # by who sat where, and what was played
        earlier: dict[tuple[tuple[int, ...], int], str] = {}
        if newest:
            rows = read_rows(self._database, tournament, ids=True, texts=scores, newest=True)
        else:
            rows = chain.from_iterable(
                read_rows(self._database, owner, first, ids=True, texts=scores) for owner in stops
            )
        for row in rows:
            owner = row.tournament
            if owner not in stops:
                continue
            if row.number >= end:
                break
            try:
                seated = seats[row.entrants]
            except KeyError:
                raise self._database.damaged(altered(self._database, owner, row.number)) from None
            repeated = row.id
            if repeats:
                repeated = earlier.setdefault((row.entrants, row.play), row.id)
            if only.by not in (None, row.by) or only.game not in (None, row.game):
                continue
            if wanted is not None and wanted.isdisjoint(seated):
                continue
            placed = zip(seated, row.ranks, strict=True)
            if only.lost and not any(rank > 1 and entry in losers for entry, rank in placed):
                continue
            names = tuple([entry.name for entry in seated])
            stop = stops[owner]
            in_time = stop is None or row.number < stop
            found = MatchRow(
                row.id,
                owner,
                labels[owner],
                row.number,
                row.game,
                row.block,
                row.seating,
                names,
                row.ranks if len(names) > 1 else (1,),  # as in its record
                row.by,
                row.faults,
                play=row.play,
                counted=in_time and not any(entry.is_out for entry in seated),
                decisions=sum(row.answers),
                arrived=row.record,
                started=moment_text(row.started),
                repeats="" if repeated == row.id else repeated,
                imported=origins[owner].of(row.record),
            )
            yield _with_scores(found, row.text) if scores else found

    def with_scores(self, row: MatchRow) -> MatchRow:
        """Return a match as listed with what only its record says; errors as for ``text``."""
        return _with_scores(row, self.text(row.id))

    def _foreign(self, entries: Iterable[Entry]) -> set[Entry]:
        """Return the entrants whose bots did not come with the arena."""
        submitted = {digest for (digest,) in self._database.rows("SELECT hash FROM bot")}
        return {entry for entry in entries if entry.version == 0 or entry.hash in submitted}

    def _scopes(self, tournament: int | None) -> Sequence[tuple[int, int | None]]:
        """Return a tournament, or all, each with the number of its first match not counted."""
        rows = self._database.rows(
            "SELECT id, stop FROM tournament"
            f" WHERE id = ? OR ? IS NULL AND {NOT_REMOVED} ORDER BY id",
            (tournament, tournament),
        )
        return tuple(rows)

    def _seats(self, tournament: int, match: StoredMatch) -> str:
        ids = self._ids.get(tournament, {})
        if not ids.keys() >= set(match.entrants):  # a newer version may have been entered
            entries = read_entries(self._database, tournament)
            ids = self._ids[tournament] = {entry.name: str(entry.id) for entry in entries}
        for name in match.entrants:
            if name not in ids:
                raise StoreError(f'"{name}" is not entered in tournament {tournament}')
        return ",".join([ids[name] for name in match.entrants])


def _with_scores(row: MatchRow, text: str) -> MatchRow:
    """Return a match as listed with the scores and ``pondered`` that its record says."""
    record = json.loads(text)
    scores, players = record["scores"], record["players"]
    return row._replace(
        scores=None if scores is None else tuple(scores),
        pondered=tuple([seat for seat, player in enumerate(players) if player.get("pondered")]),
    )


def _late_of(text: str) -> list[int]:
    """Return how many late answers a record has of each seat."""
    record = json.loads(text)
    late = [0] * len(record["players"])
    for (player, *_), decision in zip(record["actions"], record["decisions"], strict=True):
        late[player] += bool(decision.get("late"))
    return late
