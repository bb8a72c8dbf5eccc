"""A write waits for a store that is locked or full, and for nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support import finished

from arena.store import Store, open_store, waiting
from arena.store.waiting import patiently
from arena.values.errors import StoreUnavailable


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PAUSE", 0.0)


def added(store: Store, edition: int, setup: str, *, third: Callable[[], None]) -> int:
    """Store a match patiently; ``third`` is called before the third try."""
    tries = iter((lambda: None, lambda: None, third))
    result = finished.match(0, ["oak", "elm"], [1, 2], setup=setup)

    def add() -> int:
        next(tries)()
        return store.matches.add(edition, result)

    seq = patiently("match 0", add)
    assert not [*tries]
    return seq


def test_a_locked_store_is_waited_for(tmp_path: Path) -> None:
    """A match is stored once another process that had the store locked lets go of it."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("open", "f", "{}", finished.entrants(["oak", "elm"])).id
        store._database.impatient(0)
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert added(store, edition, "", third=other.close)
        assert len(list(store.matches.read(edition))) == 1


def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    """A match that there is no room for is stored when somebody has made room."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("open", "f", "{}", finished.entrants(["oak", "elm"])).id
        database = store._database
        (pages,) = database.row("PRAGMA page_count")
        database.row(f"PRAGMA max_page_count = {pages}")

        def make_room() -> None:
            database.row(f"PRAGMA max_page_count = {pages + 1000}")

        # more than what is free within the file, and nothing makes it shorter
        assert added(store, edition, Random(1).randbytes(50_000).hex(), third=make_room)
        assert len(list(store.matches.read(edition))) == 1


@pytest.mark.parametrize(
    ("name", "passes"),
    [
        ("SQLITE_BUSY", True),
        ("SQLITE_BUSY_RECOVERY", True),
        ("SQLITE_LOCKED", True),
        ("SQLITE_FULL", True),
        ("SQLITE_IOERR_SHMSIZE", True),  # no room for the file beside the write-ahead log
        ("SQLITE_IOERR_FSYNC", False),
        ("SQLITE_IOERR_WRITE", True),  # a quota looks like this, too
        ("SQLITE_CORRUPT", False),
        ("SQLITE_NOTADB", False),
        ("SQLITE_READONLY", False),
        ("SQLITE_CANTOPEN", False),
        ("SQLITE_CONSTRAINT_UNIQUE", False),
    ],
)
def test_which_errors_pass(tmp_path: Path, name: str, passes: bool) -> None:
    """Locks and full disks pass; a failing disk, damage and missing permissions do not."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorname = name
    with open_store(tmp_path, create=True) as store:
        explained = store._database.explain(error)
    assert isinstance(explained, StoreUnavailable) == passes
    assert explained.exit_code == 3
