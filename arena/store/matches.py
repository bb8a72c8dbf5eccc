"""Matches in the store: written once each, listed, counted and found again by their ids."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from operator import index
from typing import Any, NamedTuple

from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross
from arena.store.dictionaries import newest_dictionary
from arena.store.entrants import read_entries
from arena.store.match_rows import check_count, insert_matches, read_matches
from arena.values.errors import RecordError, StoreError
from arena.values.settled import Settled
from arena.values.tables import MatchRow, Position

_MOST = 1 << 32  # matches of a tournament
_CANDIDATES = 5  # named when an id's beginning fits several matches
_NOT_KEPT = "; matches of arena play are not kept: play it with --record FILE, and name the file"


class Undecided(NamedTuple):
    """A match that could not be played to its end, for no fault of a bot."""

    id: str
    number: int
    reason: str


def _number(value: Any) -> int:
    """Return a number that a match can have; ``ValueError`` or ``TypeError``: it is none."""
    number = index(value)
    if not 0 <= number < _MOST:
        raise ValueError
    return number


def note_undecided(execute: Execute, tournament: int, match: Undecided) -> None:
    """List a match as undecided, with a reason in place of an earlier one."""
    execute(
        "INSERT INTO undecided (tournament, id, number, reason) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET number = excluded.number, reason = excluded.reason",
        (tournament, *match),
    )


class Matches:
    """What the store knows of matches; ``tournament`` arguments are ``Edition.id``.

    Attributes:
        read: ``match_rows.read_matches`` of this store.
        dictionary: likewise ``dictionaries.newest_dictionary``.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.read = partial(read_matches, database)
        self.dictionary = partial(newest_dictionary, database)
        self._ids: dict[int, dict[str, str]] = {}  # of entrants, by tournament and name

    # writing

    def add(self, tournament: int, *matches: MatchRow) -> int:
        """Store finished matches, as ``pack`` gives them, in one transaction: all of them or none.

        A match that is there already, by its id, stays as it is.

        Returns:
            How many were stored.

        Raises:
            StoreUnavailable: the store is locked or full; it may be tried again.
            StoreError: it cannot be written, or another match has such a number, or an entrant is
                not entered.
        """
        ids = self._entered(tournament, {name for match in matches for name in match.entrants})
        with self._database.writing() as execute:
            return insert_matches(execute, tournament, matches, ids)

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

    def add_unable(
        self, tournament: int, match: str, game: str, entrant: str, answered: bool
    ) -> None:
        """Store that an entrant was unable to play a match.

        ``answered`` says whether the entrant had answered a decision of the match before.
        """
        with self._database.writing() as execute:
            execute(
                "INSERT INTO unable (tournament, entrant, id, game, interrupted)"
                " SELECT tournament, id, ?, ?, ? FROM entrant WHERE tournament = ? AND name = ?"
                " ON CONFLICT DO UPDATE SET interrupted = max(interrupted, excluded.interrupted)",
                (match, game, answered, tournament, entrant),
            )

    def give_up(self, tournament: int, match: str, number: int, reason: str) -> None:
        """List a match as undecided; it leaves that list when it is played after all."""
        with self._database.writing() as execute:
            note_undecided(execute, tournament, Undecided(match, number, reason))
            cross("undecided", match=number)

    # reading

    def settled(self, tournament: int, undecided: bool = False) -> Settled:
        """Return the schedule numbers that were played.

        Args:
            tournament: which.
            undecided: those of undecided matches, too.

        Raises:
            StoreError: a match is missing.
        """
        stored = check_count(self._database, tournament)
        of_it = "FROM match WHERE tournament = ?"
        # each by itself, which SQLite finds without reading what is between them
        ends = self._database.row(
            f"SELECT (SELECT min(number) {of_it}), (SELECT max(number) {of_it})",
            (tournament, tournament),
        )
        if ends == (0, stored - 1):  # all from the first to the last
            settled = Settled(range(stored))
        else:
            read, sql = self._database.read, f"SELECT number {of_it} ORDER BY number"
            settled = Settled(read(lambda row: _number(row[0]), sql, (tournament,)))
        for match in self.undecided(tournament) if undecided else ():
            settled.add(match.number)
        return settled

    def undecided(self, tournament: int) -> list[Undecided]:
        """Return the matches that were given up, in schedule order."""
        sql = (
            "SELECT id, number, reason FROM undecided"
            " WHERE tournament = ? AND id NOT IN (SELECT id FROM record) ORDER BY number"
        )
        read = self._database.read
        return [*read(lambda row: Undecided(row[0], _number(row[1]), row[2]), sql, (tournament,))]

    def unable(self, game: str | None = None) -> dict[int, tuple[int, int]]:
        """Return how many matches entrants were unable to play at first, by ``Entry.id``.

        The second number is how many of these were interrupted: it had answered a decision.
        """
        rows = self._database.rows(
            "SELECT entrant, count(*), sum(interrupted) FROM unable"
            " WHERE ? IN ('', game) GROUP BY entrant",
            (game or "",),
        )
        return {entrant: (matches, interrupted) for entrant, matches, interrupted in rows}

    def count(self, tournament: int) -> int:
        """Return how many matches were stored, as they were counted; none is read."""
        sql = "SELECT matches FROM tally WHERE tournament = ?"
        return next(self._database.read(lambda row: int(row[0]), sql, (tournament,)), 0)

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
        for row in self.read(tournament, texts=True):
            if row.counted or not counted:
                yield row.text

    def inspect(self, prefix: str) -> MatchRow:
        """Return everything about the one match whose id begins with ``prefix``, damaged or not.

        Raises:
            RecordError: none or several do; the message names candidates.
            StoreError: the store is damaged.
        """
        match, (tournament, number) = self._find(prefix)
        behind = tournament, number - 1
        for row in self.read(tournament, after=behind, texts=True, damaged=True):
            if row.damage or row.id == match:
                return row
            break
        raise self._database.damaged(f"match {match!a} is missing in its table match")

    def text(self, prefix: str) -> str:
        """Return the text of the one record whose id begins with ``prefix``.

        Raises:
            RecordError: none or several do; the message names candidates.
            StoreError: it is damaged.
        """
        row = self.inspect(prefix)
        if row.damage:
            raise self._database.damaged(row.damage)
        return row.text

    def _find(self, prefix: str) -> tuple[str, Position]:
        """Return the id and the position of the record that is meant."""
        rows = [
            *self._database.read(
                lambda row: (str(row[0]), (index(row[1]), index(row[2]))),
                "SELECT id, tournament, number FROM record"
                " WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                (prefix, prefix + "\U0010ffff", _CANDIDATES + 1),
            )
        ]
        if not prefix or not rows:
            raise RecordError(
                f'no match in this home has an id that begins with "{prefix}"{_NOT_KEPT}'
            )
        if len(rows) > 1 and rows[0][0] != prefix:
            named = ", ".join(match for match, _ in rows[:_CANDIDATES])
            more = ", …" if len(rows) > _CANDIDATES else ""
            raise RecordError(f'several matches begin with "{prefix}": {named}{more}')
        return rows[0]

    def number_of(self, tournament: int, match: str) -> int | None:
        """Return the number of the match of an id, if a tournament has it."""
        sql = "SELECT number FROM record WHERE id = ? AND tournament = ?"
        row = self._database.row(sql, (match, tournament))
        return None if row is None else int(row[0])

    def positions(self, ids: Iterable[str]) -> set[Position]:
        """Return the positions of matches, by ids or beginnings of them.

        Raises:
            RecordError: one of them is not in this home, or several begin so.
        """
        return {self._find(match)[1] for match in ids}

    def with_faults(self, tournament: int, code: str) -> list[int]:
        """Return the numbers of matches with faults of a code, or ``any``, in ascending order.

        It reads every match, 0.2 s for a million.
        """
        rows = self._database.rows(
            "SELECT number FROM match WHERE tournament = ? AND faults LIKE ? ORDER BY number",
            (tournament, "%:%" if code == "any" else f"%:{code}%"),
        )
        return [number for (number,) in rows]

    def _entered(self, tournament: int, names: set[str]) -> dict[str, str]:
        """Return the numbers of entrants by their names, these and others."""
        ids = self._ids.get(tournament, {})
        if not names <= ids.keys():  # a newer version may have been entered
            entries = read_entries(self._database, tournament)
            ids = self._ids[tournament] = {entry.name: str(entry.id) for entry in entries}
        for name in names - ids.keys():
            raise StoreError(f'"{name}" is not entered in tournament {tournament}')
        return ids
