"""The shape of the store, as the steps that lead to it from an empty file.

A step is a small function that takes the connection, inside a transaction; its number is kept in
the file (``PRAGMA user_version``). Steps are only ever added at the end.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.crash import cross
from arena.store.checksums import (
    LISTED,
    LISTED_BEFORE,
    SMALL,
    call_for,
    register,
    stamp,
    stamp_matches,
)

__all__ = ["APPLICATION_ID", "DEFINITIONS", "MIGRATIONS", "Migration", "definitions", "migrate"]

Migration = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x41524E41  # "ARNA": says that an SQLite file is ours
# of tables and indexes; a name in them that is another one is no damage to SQLite
DEFINITIONS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


def definitions() -> list[object]:
    """Return what ``DEFINITIONS`` reads from a new store."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        migrate(new)
        return new.execute(DEFINITIONS).fetchall()


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration] | None = None) -> int:
    """Bring a store to the newest shape, all steps or none; return the number it had.

    Only the first of several processes that do this at once does anything.

    Raises:
        sqlite3.Error: it is damaged, or cannot be read or written; it is as it was.
    """
    steps = MIGRATIONS if steps is None else steps
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in steps[version:]:
            step(connection)
            cross("migrate")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        # steps read rows that no hash was held against, so anything may stand in them
        if isinstance(error, _ODD):
            raise sqlite3.DatabaseError(f"{type(error).__name__}: {error}") from error
        raise
    return int(version)


_ODD = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


def _script(statements: str) -> Migration:
    """Return a step that executes some statements."""

    def step(connection: sqlite3.Connection) -> None:
        for statement in statements.split(";"):
            connection.execute(statement)

    return step


def keep_seeds(connection: sqlite3.Connection) -> None:
    """3: a tournament's seed, decimal, and when its last match was played (UTC).

    Before, the seed was in ``config`` alone, 0 for a file without one. Matches are counted to find
    whether the last one was played; a tournament whose number is not known counts as unfinished.
    """
    connection.execute("ALTER TABLE tournament ADD COLUMN seed TEXT NOT NULL DEFAULT '0'")
    connection.execute("ALTER TABLE tournament ADD COLUMN ended TEXT")
    connection.execute(
        "UPDATE tournament SET seed = coalesce(json_extract(config, '$.seed'), 0)"
        " WHERE json_valid(config)"
    )
    rows = connection.execute("SELECT id, config FROM tournament WHERE json_valid(config)")
    for tournament, config in rows.fetchall():
        (stored,) = connection.execute(
            "SELECT count(*) FROM match WHERE tournament = ?", (tournament,)
        ).fetchone()
        if stored and stored == _matches_of(connection, tournament, json.loads(config)):
            connection.execute("UPDATE tournament SET ended = last_run WHERE id = ?", (tournament,))


def add_row_hashes(connection: sqlite3.Connection) -> None:
    """5: every row has a hash of itself, and each tournament's matches are counted.

    The rows that are there are taken to be right. It reads and writes every record: some 40 s for a
    million.
    """
    register(connection)
    # rounds, and more about entrants, came later
    small = [table for table in SMALL if table not in ("round", "entrant")]
    for table in (*small, "entrant", "record", "forfeit"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN row_hash BLOB NOT NULL DEFAULT x''")
    for column in ("result_hash", "row_hash"):
        connection.execute(f"ALTER TABLE match ADD COLUMN {column} BLOB NOT NULL DEFAULT x''")
    connection.execute(
        "CREATE TABLE tally (tournament INTEGER PRIMARY KEY, matches INTEGER NOT NULL)"
    )
    connection.execute("INSERT INTO tally SELECT tournament, count(*) FROM match GROUP BY 1")
    for table in small:
        stamp(connection.execute, table)
    stamp_matches(connection.execute, listed=LISTED_BEFORE)
    for table in ("record", "forfeit"):
        connection.execute(f"UPDATE {table} SET row_hash = row_hash(id, text)")


def know_newer_versions(connection: sqlite3.Connection) -> None:
    """8: of an entrant that a ladder took up as a newer version, whose place it took."""
    register(connection)
    # the name of an entrant of the file; '' for those of the file themselves
    connection.execute("ALTER TABLE entrant ADD COLUMN line TEXT NOT NULL DEFAULT ''")
    stamp(connection.execute, "entrant")


def pack_records(connection: sqlite3.Connection) -> None:
    """9: records are packed, and a match has when it started."""
    from arena.store import pack_records  # which imports what readers do without

    pack_records.pack_records(connection)


def know_short_records(connection: sqlite3.Connection) -> None:
    """12: a record may be its own values alone, which earlier versions would take for damage."""


def number_deals_apart(connection: sqlite3.Connection) -> None:
    """13: what was played is a number for the deal and one for the way that it went."""
    from arena.errors import ArenaError  # like the others, what readers do without
    from arena.match.record import parse_record
    from arena.packed.match import play_of
    from arena.packed.text import unpack_text

    register(connection)
    one = "tournament = ? AND number = ?"
    identity = "(SELECT id FROM record WHERE seq = match.record)"
    whole = f"{one} AND row_hash IS {call_for('match', LISTED, identity)}"
    texts = dict(connection.execute("SELECT id, text FROM dictionary").fetchall())
    rows = connection.execute(
        "SELECT match.tournament, match.number, dictionary, data FROM match"
        " JOIN record ON seq = record"
    )
    for *which, dictionary, data in rows.fetchall():
        # what is damaged stays so, and verify finds it
        with contextlib.suppress(sqlite3.OperationalError, ValueError, ArenaError):
            record = parse_record(unpack_text(dictionary, data, texts.get(dictionary, "").encode()))
            values = (play_of(record), *which)
            if connection.execute(f"UPDATE match SET play = ? WHERE {whole}", values).rowcount:
                stamp_matches(connection.execute, one, which)
    connection.execute("DELETE FROM fold")


# What is folded and listed stands in `match`, narrow and in schedule order; the long text of the
# record in `record`, in order of arrival. Seats' values are lists with commas, seat 0 first.
create_tables = _script("""
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
)
""")

# matches that were never played, and how often a tournament's matches were revised
add_unplayed = _script("""
ALTER TABLE match ADD COLUMN unplayed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournament ADD COLUMN revised INTEGER NOT NULL DEFAULT 0
""")

# the rounds of formats in which results decide who meets next
_add_planned_rounds = _script("""
CREATE TABLE round (
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,        -- from 0
    plan TEXT NOT NULL,             -- JSON
    points TEXT NOT NULL,           -- JSON, '' until it is over
    row_hash BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (tournament, number)
)
""")

# who was taken out; forfeits that nobody played are no matches any more
_leave_out_who_is_out = _script("""
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
ALTER TABLE match DROP COLUMN unplayed
""")


def _matches_of(
    connection: sqlite3.Connection, tournament: int, config: Mapping[str, Any]
) -> int | None:
    """Return how many matches a round-robin has; ``None`` if that cannot be known.

    How many players a game has is seen from its matches.
    """
    rows = connection.execute(
        "SELECT game, entrants FROM match WHERE tournament = ? GROUP BY game", (tournament,)
    )
    players = {game: entrants.count(",") + 1 for game, entrants in rows}
    if config.get("format") != "round-robin" or players.keys() != config["games"].keys():
        return None
    bots, rounds = len(config["bots"]), int(config["rounds"])
    matches: int = sum(rounds * math.comb(bots, n) * n for n in players.values())
    return matches


# kept folds; what earlier shapes kept does not say enough to go on with, and is dropped
# not WITHOUT ROWID: to find a row there, SQLite reads its neighbours whole, and these are large
_keep_folds = _script("""
DROP TABLE IF EXISTS fold;
CREATE TABLE fold (
    kind TEXT NOT NULL,
    tournament INTEGER NOT NULL,    -- 0: all of them
    game TEXT NOT NULL,             -- '': all of them
    complete INTEGER NOT NULL,      -- 1: no match is missing up to the last one in it
    last_tournament INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    seen INTEGER NOT NULL,          -- the newest record.seq when it was made
    matches INTEGER NOT NULL,       -- of the scope, up to and with the last one
    basis TEXT NOT NULL,            -- which matches counted
    text TEXT NOT NULL,             -- JSON
    row_hash BLOB NOT NULL,         -- of all that is above
    more BLOB NOT NULL DEFAULT x'', -- read only to go on, and last, as the rest is read without it
    more_hash BLOB NOT NULL DEFAULT x'',
    UNIQUE (kind, tournament, game, complete)
)
""")

# what bots said in a match; a row only where something was said
_keep_words = _script("""
CREATE TABLE said (
    record INTEGER PRIMARY KEY,     -- record.seq
    tournament INTEGER NOT NULL,
    said BLOB NOT NULL,             -- to stderr and by log, compressed
    wrote BLOB NOT NULL,            -- to stdout, but for usual answers, compressed
    row_hash BLOB NOT NULL
)
""")

# where matches came from that were not played here: ranges of record.seq
_keep_origins = _script("""
CREATE TABLE carried (
    first INTEGER PRIMARY KEY,      -- record.seq
    last INTEGER NOT NULL,          -- record.seq
    tournament INTEGER NOT NULL,
    bundle TEXT NOT NULL,           -- the SHA-256 of its manifest
    file TEXT NOT NULL,             -- what it was called
    at TEXT NOT NULL,               -- UTC
    row_hash BLOB NOT NULL
)
""")

MIGRATIONS: tuple[Migration, ...] = (
    *(create_tables, add_unplayed, keep_seeds),
    *(_leave_out_who_is_out, add_row_hashes),
    *(_add_planned_rounds, _keep_folds, know_newer_versions),
    pack_records,
    _keep_words,
    _keep_origins,
    know_short_records,
    number_deals_apart,
)
