"""Reading that ends early is no damage."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from arena.database.sqlite import open_database
from arena.store import open_store


def test_while_rows_are_read(tmp_path: Path) -> None:
    """Who was reading lets go of the rows late, when the store is closed: that is no damage."""
    open_store(tmp_path, create=True).close()
    database = open_database(tmp_path, create=False)
    rows = database.rows("SELECT 1 UNION SELECT 2")
    next(rows)
    database.close()
    assert isinstance(rows, Generator)
    rows.close()  # as the end of a generator does by itself
