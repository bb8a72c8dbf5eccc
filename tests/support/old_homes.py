"""Homes as earlier versions of the arena left them, in ``tests/homes``."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from arena.packed.text import unpack_text
from arena.store.checksums import LISTED_BEFORE, register, row_hash, stamp_matches
from arena.store.migrations import MIGRATIONS, pack_records

HOMES = Path(__file__).parent.parent / "homes"


def old_home(name: str, folder: Path) -> Path:
    """Make the home of a name in a folder, and return the tournament file that was run there.

    ``first_build``: ash, elm and dead, all of them the submitted bot ash, met once in both seats.
    dead does not start, and was suspended after its first match: 3 of its matches are forfeits
    that nobody played.

    ``plain_records``: the same bots in two rounds, as the last version kept them that stored
    records as text. dead is suspended; 4 matches count.
    """
    source = HOMES / name
    shutil.copytree(HOMES / "first_build" / "bots", folder / "bots")
    connection = sqlite3.connect(folder / "arena.db")
    connection.executescript((source / "arena.sql").read_text())
    connection.close()
    return source / "old.yaml"


def texts_of(home: Path) -> dict[str, str]:
    """Return the records of a home that keeps them as text, by their ids."""
    connection = sqlite3.connect(home / "arena.db")
    found = dict(connection.execute("SELECT id, text FROM record"))
    connection.close()
    return found


def with_plain_records(home: Path) -> None:
    """Give a home of today the shape in which records were text."""
    connection = sqlite3.connect(home / "arena.db", isolation_level=None)
    register(connection)
    connection.execute("DROP INDEX record_id")
    connection.execute("ALTER TABLE record RENAME TO packed")
    connection.execute(
        "CREATE TABLE record (seq INTEGER PRIMARY KEY, tournament INTEGER NOT NULL,"
        " number INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL,"
        " row_hash BLOB NOT NULL DEFAULT x'')"
    )
    common = {0: "", **dict(connection.execute("SELECT id, text FROM dictionary"))}
    for *row, number, data, _ in connection.execute("SELECT * FROM packed").fetchall():
        text = unpack_text(number, data, common[number].encode())
        values = (*row, text, row_hash((row[-1], text)))
        connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", values)
    connection.execute("DROP TABLE packed")
    connection.execute("DROP TABLE dictionary")
    connection.execute("DROP TABLE said")
    connection.execute("DROP TABLE carried")
    stamp_matches(connection.execute, listed=LISTED_BEFORE)
    connection.execute("ALTER TABLE match DROP COLUMN started")
    connection.execute(f"PRAGMA user_version = {MIGRATIONS.index(pack_records)}")
    connection.close()
