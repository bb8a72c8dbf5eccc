"""The shape of the store, as the steps that lead to it from an empty file.

A step is a small function that takes the connection, inside a transaction; its number is kept in
the file (``PRAGMA user_version``). Steps are only ever added at the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

__all__ = ["APPLICATION_ID", "MIGRATIONS", "Migration", "migrate"]

Migration = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x41524E41  # "ARNA": says that an SQLite file is ours


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration] | None = None) -> int:
    """Bring a store to the newest shape, all steps or none; return the number it had.

    Only the first of several processes that do this at once does anything.
    """
    steps = MIGRATIONS if steps is None else steps
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in steps[version:]:
            step(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return int(version)


def create_tables(connection: sqlite3.Connection) -> None:
    """1: tournaments, matches and their records, bots, kept folds."""
    for statement in _TABLES.split(";"):
        connection.execute(statement)


def add_unplayed(connection: sqlite3.Connection) -> None:
    """2: matches that were never played, and how often a tournament's matches were revised."""
    connection.execute("ALTER TABLE match ADD COLUMN unplayed INTEGER NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE tournament ADD COLUMN revised INTEGER NOT NULL DEFAULT 0")


def leave_out_who_is_out(connection: sqlite3.Connection) -> None:
    """3: who was taken out; forfeits that nobody played are no matches any more."""
    for statement in _OUT.split(";"):
        connection.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (create_tables, add_unplayed, leave_out_who_is_out)

# What is folded and listed stands in `match`, narrow and in schedule order; the long text of the
# record in `record`, in order of arrival. Seats' values are lists with commas, seat 0 first.
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
    play INTEGER NOT NULL,          -- a hash of what was played: equal for duplicates
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,        -- in order of arrival
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL              -- JSON
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
CREATE TABLE undecided (
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    number INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (tournament, id)
) WITHOUT ROWID;
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
CREATE TABLE fold (
    kind TEXT NOT NULL,
    tournament INTEGER NOT NULL,    -- 0: all of them
    game TEXT NOT NULL,             -- '': all of them
    complete INTEGER NOT NULL,      -- 1: no match is missing up to the last one in it
    last_tournament INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    seen INTEGER NOT NULL,          -- the newest record.seq when it was made
    text TEXT NOT NULL,             -- JSON
    PRIMARY KEY (kind, tournament, game, complete)
) WITHOUT ROWID
"""

_OUT = """
ALTER TABLE entrant ADD COLUMN out INTEGER NOT NULL DEFAULT 0;      -- a person took it out
ALTER TABLE entrant ADD COLUMN file_out INTEGER NOT NULL DEFAULT 0; -- so said the file, last
ALTER TABLE tournament ADD COLUMN complete INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournament DROP COLUMN revised;
CREATE TABLE forfeit (
    id TEXT PRIMARY KEY,
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL              -- JSON
) WITHOUT ROWID;
INSERT INTO forfeit
    SELECT id, record.tournament, record.number, text FROM match
    JOIN record ON record.seq = match.record WHERE unplayed;
DELETE FROM match WHERE unplayed;
DELETE FROM record WHERE id IN (SELECT id FROM forfeit);
ALTER TABLE match DROP COLUMN unplayed;
DELETE FROM fold;
ALTER TABLE fold ADD COLUMN basis TEXT NOT NULL DEFAULT ''
"""
