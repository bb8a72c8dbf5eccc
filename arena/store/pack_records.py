"""The step of the store's shape that packs records, and keeps when each match started.

All of it is one transaction: a kill leaves the store as it was. It reads and writes every record,
some 60 s for a million, in little memory, and needs room on the disk for all of them packed, twice:
beside the old ones, and again where what these leave free is taken out of the file.
"""

from __future__ import annotations

import logging
import sqlite3

from arena.packed.moments import moment_ms
from arena.packed.text import NO_DICTIONARY, Dictionary, pack_bytes, record_hash
from arena.store.checksums import LISTED_BEFORE, call_for, raise_interrupt, register, row_hash
from arena.store.dictionaries import newest_dictionary, renew_dictionary

__all__ = ["pack_records"]

REPORTED = 100_000  # records after which it is said how far this is

log = logging.getLogger(__name__)

_TABLES = (
    "ALTER TABLE match ADD COLUMN started INTEGER",  # ms since 1970, UTC; NULL: not known
    "ALTER TABLE record RENAME TO plain_record",
    """CREATE TABLE record (
    seq INTEGER PRIMARY KEY,        -- in order of arrival
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    dictionary INTEGER NOT NULL,    -- that data was packed with; 0: not packed
    data BLOB NOT NULL,             -- JSON
    row_hash BLOB NOT NULL
)""",
    """CREATE TABLE dictionary (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL,
    text TEXT NOT NULL,
    row_hash BLOB NOT NULL
)""",
)


def pack_records(connection: sqlite3.Connection) -> None:
    """9: records are packed; a match has when it started. Damaged rows stay damaged."""
    register(connection)
    # SQLite may be built to write zeros over all that is dropped
    connection.execute("PRAGMA secure_delete = OFF")
    for statement in _TABLES:
        connection.execute(statement)
    dictionaries: dict[int, Dictionary] = {}
    for (tournament,) in connection.execute("SELECT id FROM tournament").fetchall():
        renew_dictionary(connection.execute, tournament)
        dictionaries[tournament] = newest_dictionary(
            lambda sql, values: connection.execute(sql, values).fetchone(), tournament
        )
    (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM plain_record").fetchone()
    rows = connection.execute(
        "SELECT seq, tournament, number, id, typeof(text), CAST(text AS BLOB), row_hash"
        " FROM plain_record ORDER BY seq"
    )
    for seq, tournament, number, match, kind, text, found in rows:
        dictionary, data = pack_bytes(text, dictionaries.get(tournament, NO_DICTIONARY))
        sound = kind == "text" and _hash_before(match, text) == found
        said = record_hash(match, dictionary, data) if sound else None
        connection.execute(
            "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
            (seq, tournament, number, match, dictionary, data, said or b""),
        )
        _add_start(connection, (tournament, number, seq), match, _started(text))
        if seq % REPORTED == 0:
            log.warning("records of an earlier version are packed: %d of %d", seq, last)
    connection.execute("DROP TABLE plain_record")
    connection.execute("CREATE UNIQUE INDEX record_id ON record (id)")  # sorted, so at the end


def _add_start(
    connection: sqlite3.Connection, row: tuple[int, int, int], match: str, started: int | None
) -> None:
    """Write when a match started; a row that does not fit its hash gets none that fits."""
    try:
        connection.execute(_START, (match, started, match, started, *row))
    except sqlite3.OperationalError as error:
        raise_interrupt()
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        # a text in it is none, so that it cannot even be hashed
        connection.execute(f"UPDATE match SET row_hash = x'' WHERE {_ONE}", row)


_ONE = "tournament = ? AND number = ? AND record = ?"
_START = (
    f"UPDATE match SET row_hash = CASE row_hash WHEN {call_for('match', LISTED_BEFORE, '?')}"
    f" THEN {call_for('match', LISTED_BEFORE, '?', '?')} ELSE x'' END, started = ? WHERE {_ONE}"
)


def _hash_before(match: object, text: bytes) -> bytes | None:
    try:
        return row_hash((match, text.decode()))
    except UnicodeDecodeError:
        return None


def _started(text: bytes) -> int | None:
    """Find when a match started in its record's text, where only the times come after it."""
    _, found, rest = text.rpartition(b'"started":"')
    return moment_ms(rest.partition(b'"')[0].decode("ascii", "replace")) if found else None
