"""The tables of the store, and the number of their shape (``PRAGMA user_version``).

What tables and lists are made from is in ``match``, narrow and in schedule order; the long text of
the record is in ``record``, in order of arrival. Seats' values are lists with commas, seat 0 first.
Records are the truth, and have hashes, as do the dictionaries that they are packed with and what
bots said: against accidents, as who writes to the file can write the hash that fits. Rows of
``match`` are made from their records, which ``arena verify`` does again. All else is SQLite's.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Sequence

from arena.machine.crash import cross

APPLICATION_ID = 0x41524E41  # "ARNA": says that an SQLite file is ours
SHAPE = 18  # it grows with every change of the tables
MADE_ANEW = 17  # the shape of which ``migrate`` makes the present one
NOT_REMOVED = "fingerprint <> ''"  # of a tournament; of one that is being removed it is empty


def make_tables(connection: sqlite3.Connection) -> None:
    """Make an empty file a store, as a whole or not at all.

    Of several processes that do this at once only the first does anything.

    Raises:
        sqlite3.Error: the file is damaged, or cannot be read or written; it is as it was.
    """
    head = f"PRAGMA application_id = {APPLICATION_ID}"
    _become(connection, 0, [*_TABLES.split(";\n"), head])


def migrate(connection: sqlite3.Connection) -> None:
    """Make a store of the shape ``MADE_ANEW`` one of the present shape; the rest as above."""
    made = [each for each in _TABLES.split(";\n") if each.lstrip().startswith(_NEW)]
    _become(connection, MADE_ANEW, [*_STEPS, *made], _keep_files)


def _become(
    connection: sqlite3.Connection,
    before: int,
    steps: Sequence[str],
    then: Callable[[sqlite3.Connection], None] = lambda connection: None,
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone() == (before,):
            for statement in steps:
                connection.execute(statement)
            then(connection)
            connection.execute(f"PRAGMA user_version = {SHAPE}")
            cross("tables")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _keep_files(connection: sqlite3.Connection) -> None:
    """Keep of each tournament the mapping of its file; what cannot be read stays as it is."""
    from arena.tournament.change import fingerprint  # which only this needs
    from arena.tournament.earlier import DAMAGE, kept_now

    rows = connection.execute(f"SELECT id, name, config FROM tournament WHERE {NOT_REMOVED}")
    for number, name, text in rows.fetchall():
        entrants = connection.execute(
            "SELECT name, bot, version, hash FROM entrant WHERE tournament = ? AND line = ''",
            (number,),
        )
        with contextlib.suppress(*DAMAGE):
            config = kept_now(name, json.loads(text), entrants)
            connection.execute(
                "UPDATE tournament SET config = ?, fingerprint = ? WHERE id = ?",
                (json.dumps(config, sort_keys=True), fingerprint(config), number),
            )


_WITH_HASHES = ("tournament", "entrant", "carried", "void", "undecided", "round", "bot")
_NEW = tuple(f"CREATE TABLE {table}" for table in ("asked", "cache", "unable", "people", "tried"))
_STEPS = (
    *(f"ALTER TABLE {table} DROP COLUMN row_hash" for table in _WITH_HASHES),
    "DROP TABLE fold", "DROP TABLE fold_part",
    "ALTER TABLE match RENAME COLUMN play TO moves_hash",
    "ALTER TABLE match ADD COLUMN costs TEXT",
    "ALTER TABLE entrant ADD COLUMN replaced TEXT NOT NULL DEFAULT ''",
)  # fmt: skip

# `cache_part` has a rowid: to find a row of a table without one, SQLite reads its neighbours whole,
# and rows of `cache_part` are large
_TABLES = """
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    edition INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    config TEXT NOT NULL,           -- JSON
    created TEXT NOT NULL,          -- UTC
    last_run TEXT NOT NULL,         -- UTC
    run_order INTEGER NOT NULL,     -- the one run last has the largest
    stop INTEGER,                   -- matches from this number on are not counted
    seed TEXT NOT NULL DEFAULT '0', -- decimal
    ended TEXT,                     -- when its last match was played, UTC
    complete INTEGER NOT NULL DEFAULT 0, -- nothing reads it any more
    UNIQUE (name, edition)
);
CREATE TABLE entrant (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    name TEXT NOT NULL,
    bot TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    args TEXT NOT NULL,             -- JSON
    position INTEGER NOT NULL,      -- in the file
    state TEXT NOT NULL DEFAULT '', -- why it no longer plays
    out INTEGER NOT NULL DEFAULT 0, -- the file takes it out
    line TEXT NOT NULL DEFAULT '',  -- the entrant of the file that this is another version of
    replaced TEXT NOT NULL DEFAULT '', -- since when only another version counts, UTC
    UNIQUE (tournament, name)
);
CREATE TABLE match (
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,        -- in the schedule
    record INTEGER NOT NULL,        -- record.seq
    game TEXT NOT NULL,
    block TEXT NOT NULL,
    seating INTEGER NOT NULL,
    by TEXT NOT NULL,
    entrants TEXT NOT NULL,         -- entrant.id of each seat
    ranks TEXT NOT NULL,
    faults TEXT NOT NULL,           -- seat:code of each fault
    answers TEXT NOT NULL,          -- decisions answered
    charged_us TEXT NOT NULL,       -- time charged for them
    moves_hash INTEGER NOT NULL,    -- hashes of the deal and of how it went: equal for duplicates
    started INTEGER,                -- ms since 1970, UTC; NULL: not known
    costs TEXT,                     -- JSON: of each seat, what its answers cost; NULL: nothing
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,        -- in order of arrival
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    dictionary INTEGER NOT NULL,    -- that data was packed with; 0: not packed
    data BLOB NOT NULL,             -- JSON
    row_hash BLOB NOT NULL
);
CREATE UNIQUE INDEX record_id ON record (id);
CREATE TABLE dictionary (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL,
    text TEXT NOT NULL,
    row_hash BLOB NOT NULL
);
CREATE TABLE said (                 -- a row only where something was said
    record INTEGER PRIMARY KEY,     -- record.seq
    tournament INTEGER NOT NULL,
    said BLOB NOT NULL,             -- to stderr and by log, compressed
    wrote BLOB NOT NULL,            -- to stdout, compressed
    row_hash BLOB NOT NULL
);
CREATE TABLE carried (              -- matches that were not played here
    first INTEGER PRIMARY KEY,      -- record.seq
    last INTEGER NOT NULL,          -- record.seq
    tournament INTEGER NOT NULL,
    bundle TEXT NOT NULL,           -- the SHA-256 of its manifest
    file TEXT NOT NULL,             -- what it was called
    at TEXT NOT NULL                -- UTC
);
CREATE TABLE void (
    seq INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,               -- UTC
    UNIQUE (tournament, id, attempt)
);
CREATE TABLE unable (               -- matches that an entrant was unable to play at first
    tournament INTEGER NOT NULL REFERENCES tournament,
    entrant INTEGER NOT NULL,       -- entrant.id
    id TEXT NOT NULL,               -- of the match
    game TEXT NOT NULL,
    interrupted INTEGER NOT NULL,   -- 1: it had answered a decision
    PRIMARY KEY (tournament, entrant, id)
) WITHOUT ROWID;
CREATE TABLE undecided (
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    number INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (tournament, id)
) WITHOUT ROWID;
CREATE TABLE tally (
    tournament INTEGER PRIMARY KEY,
    matches INTEGER NOT NULL
);
CREATE TABLE round (                -- of formats in which results decide who meets next
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,        -- from 0
    plan TEXT NOT NULL,             -- JSON
    points TEXT NOT NULL,           -- JSON, '' until it is over
    PRIMARY KEY (tournament, number)
);
CREATE TABLE bot (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    start TEXT NOT NULL,            -- JSON
    folder TEXT NOT NULL,
    language TEXT NOT NULL,
    games TEXT NOT NULL,            -- JSON
    retired INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL,          -- UTC
    UNIQUE (name, version),
    UNIQUE (name, hash)
);
CREATE TABLE asked (                -- what others ask of a run that goes on
    id INTEGER PRIMARY KEY,
    tournament TEXT NOT NULL,       -- its name
    request TEXT NOT NULL,          -- JSON
    answer TEXT                     -- NULL: none yet
);
CREATE TABLE people (
    bot TEXT PRIMARY KEY,           -- bot.name
    person TEXT NOT NULL,
    team TEXT NOT NULL,
    origin TEXT NOT NULL            -- what the hand-in was recognized by
) WITHOUT ROWID;
CREATE TABLE tried (
    key TEXT PRIMARY KEY,           -- a hash of a program and what it was tried with
    message TEXT NOT NULL,          -- '': it passed
    reason TEXT NOT NULL,
    at TEXT NOT NULL                -- UTC
) WITHOUT ROWID;
CREATE TABLE cache (
    tournament INTEGER NOT NULL,    -- 0: all of them
    game TEXT NOT NULL,             -- '': all of them
    last_tournament INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    matches INTEGER NOT NULL,       -- of the scope, up to and with the last one
    key TEXT NOT NULL,              -- which matches counted
    PRIMARY KEY (tournament, game)
) WITHOUT ROWID;
CREATE TABLE cache_part (
    tournament INTEGER NOT NULL,
    game TEXT NOT NULL,
    part TEXT NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (tournament, game, part)
)
"""
