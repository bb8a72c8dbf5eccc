"""Ctrl-C in the midst of a statement is Ctrl-C, not a damaged store."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from support import finished

from arena.database import checksums as checksums
from arena.database.sqlite import open_database
from arena.store import open_store


class Interrupt:
    """Hashes rows; somebody presses Ctrl-C during the call of a number."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.hash = checksums.row_hash

    def __call__(self, values: tuple[object, ...]) -> bytes:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return self.hash(values)


@pytest.mark.parametrize("number", [1, 2])
def test_while_a_store_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """SQLite calls us back for each row that it checks, and knows errors only."""
    with open_store(tmp_path, create=True) as store:
        store.tournaments.create("open", "f", "{}", finished.entrants(["oak", "elm"]))
    monkeypatch.setattr(checksums, "row_hash", Interrupt(number))
    with pytest.raises(KeyboardInterrupt):
        open_store(tmp_path, create=True)


def test_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the transaction stays, and the next one is as good as ever."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("open", "f", "{}", finished.entrants(["oak", "elm"]))
        with monkeypatch.context() as pressed:
            pressed.setattr(checksums, "row_hash", Interrupt(1))
            with pytest.raises(KeyboardInterrupt):
                store.tournaments.end(edition.id)
        assert store.tournaments.get(edition.id).ended is None
        store.tournaments.end(edition.id)
        assert store.tournaments.get(edition.id).ended is not None


def test_while_rows_are_read(tmp_path: Path) -> None:
    """Who was reading lets go of the rows late, when the store is closed: that is no damage."""
    open_store(tmp_path, create=True).close()
    database = open_database(tmp_path, create=False)
    rows = database.rows("SELECT 1 UNION SELECT 2")
    next(rows)
    database.close()
    assert isinstance(rows, Generator)
    rows.close()  # as the end of a generator does by itself
