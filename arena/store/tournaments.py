"""Tournaments in the store: their editions, who is out of them, and where their schedule ends."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.database.schema import NOT_REMOVED
from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross
from arena.store.entrants import (
    Entry,
    as_entered,
    edition_label,
    enter,
    read_entries,
    take_up,
)
from arena.store.match_rows import read_matches
from arena.values.errors import StoreError, UsageError, hint
from arena.values.untrusted import show

if TYPE_CHECKING:
    from arena.values.model import Entrant

_MARK = re.compile("[0-9a-f]{10}")  # what the names of comparisons end in
SECRET_BITS = 128
REMOVED = "was removed in part"

Renumber = Callable[[str], int | None]
"""From the id of a match to its new number; ``None``: it has none."""


class Edition(NamedTuple):
    """One edition of a tournament; times are UTC, ``config`` is what it was run from.

    ``stop`` is the number of the first match that is not counted, if an early stop was reached, or
    a person ended it. ``seed`` is what all deals come from. ``ended`` is when it was over, ``None``
    while the tournament is unfinished; until then nobody is shown the seed.
    """

    id: int
    name: str
    edition: int
    fingerprint: str
    config: Mapping[str, Any]
    created: str
    last_run: str
    stop: int | None = None
    seed: int = 0
    ended: str | None = None

    def __repr__(self) -> str:
        """Return a line for a person: its name, and since when there is an end."""
        state = f"ended {self.ended}" if self.ended else "unfinished"
        return f"<Edition {show(self.label, 60)}, {state}>"

    @property
    def label(self) -> str:
        """``name``, or ``name#2`` from the second edition on."""
        return edition_label(self.name, self.edition)

    @property
    def is_removed(self) -> bool:
        """Whether the removal of this edition has begun: then it can only be finished."""
        return not self.fingerprint

    @property
    def secret(self) -> bool:
        """Whether the seed was drawn, and stands in no file."""
        return bool(self.config.get("seed") == "secret")

    @property
    def is_closed(self) -> bool:
        """Whether a person ended it before all was played."""
        return self.config.get("closed") is True

    @property
    def seed_hash(self) -> str:
        """The SHA-256 of the seed's decimal digits, which may be shown at any time."""
        import hashlib  # which readers do without

        return hashlib.sha256(str(self.seed).encode()).hexdigest()


class Tournaments:
    """What the store knows of tournaments; ``tournament`` arguments are ``Edition.id``.

    Attributes:
        entries: ``entrants.read_entries`` of this store.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.entries = partial(read_entries, database)

    def all(self, *, removed: bool = False) -> list[Edition]:
        """Return all editions of all tournaments, oldest first.

        Those that are being removed are left out, unless ``removed`` asks for them.
        """
        which = "1" if removed else NOT_REMOVED
        return [*self._read(f"WHERE {which} ORDER BY id")]

    def get(self, tournament: int) -> Edition:
        """Return an edition by its number.

        Raises:
            StoreError: there is none, though something refers to it; or it is being removed.
        """
        for found in self._read("WHERE id = ?", tournament):
            return whole(found)
        raise self._database.damaged(f"its table tournament has no row {tournament}")

    def latest(self, name: str) -> Edition | None:
        """Return the newest edition of a name, or ``None``; raises ``StoreError`` as ``get``."""
        found = self._one("WHERE name = ? ORDER BY edition DESC LIMIT 1", name)
        return found and whole(found)

    def unfinished(self) -> frozenset[str]:
        """Return the labels of those whose last match was not played yet."""
        return frozenset(one.label for one in self.all(removed=True) if one.ended is None)

    def last_run(self) -> Edition | None:
        """Return the tournament that was run last in this home, or ``None``.

        One that is being removed is no longer that.
        """
        return self._one(f"WHERE {NOT_REMOVED} ORDER BY run_order DESC LIMIT 1")

    def _one(self, which: str, *values: object) -> Edition | None:
        return next(self._read(which, *values), None)

    def _read(self, which: str, *values: object) -> Iterator[Edition]:
        return self._database.read(_edition, f"{_SELECT} {which}", values)

    def find(self, text: str, *, removed: bool = False) -> Edition:
        """Return what a person means by ``name`` (its newest edition) or ``name#1``.

        Of the name that a comparison is given, the digits at the end are enough.

        Raises:
            UsageError: there is no such tournament or edition; the message says which there are.
            StoreError: it is being removed, and ``removed`` does not say that this is all right.
        """
        name, edition = _name_and_edition(text)
        found = newest = self._one("WHERE name = ? ORDER BY edition DESC LIMIT 1", name)
        if edition is not None:
            found = self._one("WHERE name = ? AND edition = ?", name, edition)
        elif newest is None and _MARK.fullmatch(text):
            named = "WHERE name GLOB ? ORDER BY edition DESC LIMIT 1"
            found = self._one(named, f"compare-*-{text}")
        if found is not None:
            return found if removed else whole(found)
        if newest is not None:
            raise UsageError(
                f'"{name}" has no edition {edition}; its last edition is {newest.edition}'
            )
        names = sorted({edition.name for edition in self.all(removed=True)})
        there = hint(text, names) or ": there is none in this home"
        raise UsageError(f'there is no tournament "{text}"{there}')

    def create(
        self,
        name: str,
        fingerprint: str,
        config: Mapping[str, Any],
        entrants: Iterable[Entrant],
        seed: int | None = None,
    ) -> Edition:
        """Enter a new edition of a name: the first, or the one after the newest.

        Args:
            name: the tournament's.
            fingerprint: of what counts.
            config: what counts.
            entrants: all of them.
            seed: the file's; 128 random bits are drawn where it has none.
        """
        if seed is None:
            import secrets  # which takes 3 ms, and readers do without

            seed = secrets.randbits(SECRET_BITS)
        with self._database.writing() as execute:
            (edition,) = execute(
                "SELECT coalesce(max(edition), 0) + 1 FROM tournament WHERE name = ?", (name,)
            ).fetchone()
            made = now()
            new = Edition(0, name, edition, fingerprint, config, made, made, seed=seed)
            entered = insert_edition(execute, new)
            enter(execute, entered.id, _in_order(entrants))
            cross("seed", tournament=entered.id)
        return entered

    def started(self, tournament: int) -> None:
        """Remember that a tournament is being run: it is now the one run last."""
        with self._database.writing() as execute:
            _change(execute, tournament, f"last_run = ?, run_order = {_NEXT_RUN}", now())

    def end(self, tournament: int, at: str | None = None) -> None:
        """Remember that the last match was played: from now on the seed may be shown.

        ``at`` is when that was, if it was in another home.
        """
        with self._database.writing() as execute:
            _change(execute, tournament, "ended = ?", at or now())

    def close(
        self, tournament: int, config: Mapping[str, Any], stop: int | None, at: str | None
    ) -> None:
        """End a tournament that lacks matches, all at once; arguments as for ``end``.

        ``config`` is what counts, and says so; no match from the number ``stop`` on is counted.
        """
        with self._database.writing() as execute:
            change = "config = ?, stop = ?, ended = ?"
            _change(execute, tournament, change, _text(config), stop, at or now())

    def reopen(self, tournament: int) -> None:
        """Remember that there are matches to play, whatever was before."""
        with self._database.writing() as execute:
            _change(execute, tournament, "ended = NULL")

    def stop(self, tournament: int, number: int | None) -> None:
        """Count no match from this schedule number on; ``None``: count all."""
        with self._database.writing() as execute:
            _change(execute, tournament, "stop = ?", number)
            cross("stop", tournament=tournament)

    def extend(
        self,
        tournament: int,
        fingerprint: str,
        config: Mapping[str, Any],
        entrants: Iterable[Entrant],
        renumber: Renumber | None = None,
        *,
        past_stop: bool = False,
    ) -> None:
        """Let a tournament go on with more entrants or rounds.

        All of it happens, or nothing. Nobody that is entered leaves.

        Args:
            tournament: which.
            fingerprint: the new one.
            config: the new one.
            entrants: all of them, the old ones, too.
            renumber: gives the matches in the store their numbers in the new schedule; ``None``:
                they keep those that they have.
            past_stop: forget the stop that was reached, if any.

        Raises:
            StoreError: a match in the store is not in the new schedule.
        """
        with self._database.writing() as execute:
            change = "fingerprint = ?, config = ?, ended = NULL"
            if past_stop:
                change += ", stop = NULL"
            _change(execute, tournament, change, fingerprint, _text(config))
            enter(execute, tournament, _in_order(entrants))
            if renumber is not None:
                _renumber(self._database, execute, tournament, renumber)
            cross("extend", tournament=tournament)

    def upgrade(
        self,
        tournament: int,
        replaced: Collection[str],
        again: Collection[str],
        newer: Iterable[tuple[str, Entrant]],
        renumber: Renumber | None,
    ) -> None:
        """Let other versions play in place of entrants, whose matches stay and do not count.

        Args:
            tournament: which.
            replaced: the names of those that rest from now on.
            again: of those that were replaced, and play again.
            newer: versions that are new, each with the name of its line.
            renumber: as for ``extend``.
        """
        with self._database.writing() as execute:
            _change(execute, tournament, "ended = NULL")
            update = "UPDATE entrant SET replaced = ? WHERE tournament = ? AND name = ?"
            for name in (*replaced, *again):
                execute(update, ("" if name in again else now(), tournament, name))
            take_up(execute, tournament, newer)
            if renumber is not None:
                _renumber(self._database, execute, tournament, renumber)
            cross("upgrade", tournament=tournament)

    def write_again(self, tournament: int, config: Mapping[str, Any]) -> None:
        """Store again what counts, which has the same fingerprint."""
        with self._database.writing() as execute:
            _change(execute, tournament, "config = ?", _text(config))

    def suspend(self, tournament: int, why: Mapping[str, str]) -> None:
        """Store which entrants are suspended, and why; no other is any more."""
        with self._database.writing() as execute:
            execute("UPDATE entrant SET state = '' WHERE tournament = ?", (tournament,))
            for name, reason in why.items():
                change = "UPDATE entrant SET state = ? WHERE tournament = ? AND name = ?"
                execute(change, (reason, tournament, name))
            cross("suspend", tournament=tournament)

    def take_out(self, tournament: int, out: Collection[str]) -> None:
        """Store which entrants are taken out; no other is any more."""
        with self._database.writing() as execute:
            execute("UPDATE entrant SET out = 0 WHERE tournament = ?", (tournament,))
            for name in out:
                change = "UPDATE entrant SET out = 1 WHERE tournament = ? AND name = ?"
                execute(change, (tournament, name))


def now() -> str:
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


_SELECT = f"SELECT {', '.join(Edition._fields)} FROM tournament"
_NEXT_RUN = "(SELECT coalesce(max(run_order), 0) + 1 FROM tournament)"


def insert_edition(execute: Execute, edition: Edition) -> Edition:
    """Insert an edition, which is the one run last from now on; return it with its number."""
    number = execute(
        "INSERT INTO tournament"
        " (name, edition, fingerprint, config, created, last_run, run_order, seed)"
        f" VALUES (?, ?, ?, ?, ?, ?, {_NEXT_RUN}, ?)",
        (*edition[1:4], _text(edition.config), *edition[5:7], str(edition.seed)),
    ).lastrowid
    assert number is not None
    return edition._replace(id=number)


def make_last(execute: Execute, tournament: int) -> None:
    """Make a tournament the one that was run last."""
    _change(execute, tournament, f"run_order = {_NEXT_RUN}")


def _edition(row: tuple[Any, ...]) -> Edition:
    found = Edition(*row)
    config = json.loads(row[4])
    if not isinstance(config, dict):
        raise ValueError
    # the seed is a text, which has room for 128 bits
    return found._replace(config=config, seed=int(found.seed))


def _text(config: Mapping[str, Any]) -> str:
    return json.dumps(config, sort_keys=True)


def _in_order(entrants: Iterable[Entrant]) -> list[Entry]:
    return [as_entered(entrant, position) for position, entrant in enumerate(entrants)]


def whole(edition: Edition) -> Edition:
    """Return an edition; raise ``StoreError`` if it is being removed."""
    if edition.is_removed:
        raise StoreError(
            f'"{edition.label}" {REMOVED}; to remove the rest: '
            f'arena tournaments remove "{edition.label}"'
        )
    return edition


def _name_and_edition(text: str) -> tuple[str, int | None]:
    name, _, number = text.rpartition("#")
    if name and len(number) < 10 and number.isascii() and number.isdigit() and number[0] != "0":
        return name, int(number)
    return text, None


def _change(execute: Execute, tournament: int, change: str, *values: object) -> None:
    execute(f"UPDATE tournament SET {change} WHERE id = ?", (*values, tournament))


def _renumber(database: Database, execute: Execute, tournament: int, renumber: Renumber) -> None:
    sql = "SELECT id FROM undecided WHERE tournament = ?"
    given_up = [*database.rows(sql, (tournament,))]
    for (match,) in given_up:
        execute(
            "UPDATE undecided SET number = coalesce(?, number) WHERE tournament = ? AND id = ?",
            (renumber(match), tournament, match),
        )
    moved: list[tuple[int, int, int]] = []  # no more of a match, as there may be a million
    for row in read_matches(database, tournament):
        new = renumber(row.id)
        if new is None:
            raise StoreError(f"match {row.id} was played, and is not in the new schedule")
        moved.append((new, row.number, row.arrived))
    for new, number, arrived in moved:
        # first to where no match is, so that no two ever have the same number
        execute(
            "UPDATE match SET number = -1 - ? WHERE tournament = ? AND number = ?",
            (new, tournament, number),
        )
        execute("UPDATE record SET number = ? WHERE seq = ?", (new, arrived))
    execute("UPDATE match SET number = -1 - number WHERE tournament = ?", (tournament,))
