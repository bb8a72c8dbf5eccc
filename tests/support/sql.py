"""The database of a home, asked or changed by somebody who does not know of the arena."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


def sql(home: Path, statement: str, *values: object) -> list[Any]:
    """Run a statement in a home's database, and return its rows; a change must change something."""
    with closing(sqlite3.connect(home / "arena.db")) as connection, connection:
        done = connection.execute(statement, values)
        assert done.rowcount != 0  # of questions it is -1
        return done.fetchall()
