"""A write waits for a store that is locked or full, for a minute, and for nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from random import Random

import pytest
from support import finished

from arena.store import Edition, Store
from arena.store import waiting as patience
from arena.store.waiting import patiently
from arena.values.errors import StoreUnavailable


class Time:
    """A clock that goes on only while somebody sleeps; calls ``then`` after each sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.then: Callable[[], None] = lambda: None

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.then()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    fake = Time()
    monkeypatch.setattr(patience, "time", fake)
    return fake


def test_a_locked_store_is_waited_for(store: Store, edition: Edition, time: Time) -> None:
    """A match is stored once another process that had the store locked lets go of it."""
    store._database.row("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def let_go() -> None:
        if time.now > 50:
            other.close()

    time.then = let_go
    result = finished.match(0, ["oak", "elm"], [1, 2])
    assert patiently("match 0", finished.add, store, edition.id, result)
    assert len(list(store.matches.read(edition.id))) == 1
    assert 50 < time.now < 60


def test_a_full_disk_is_waited_for(store: Store, edition: Edition, time: Time) -> None:
    """A match that there is no room for is stored when somebody has made room."""
    database = store._database
    (pages,) = database.row("PRAGMA page_count")
    database.row(f"PRAGMA max_page_count = {pages}")

    def make_room() -> None:
        database.row(f"PRAGMA max_page_count = {pages + 1000}")

    time.then = make_room
    # more than what is free within the file, and nothing makes it shorter
    long = Random(1).randbytes(50_000).hex()
    result = finished.match(0, ["oak", "elm"], [1, 2], setup=long)
    assert patiently("match 0", finished.add, store, edition.id, result)
    assert len(list(store.matches.read(edition.id))) == 1
    assert time.now == patience.PAUSE


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
def test_which_errors_pass(store: Store, name: str, passes: bool) -> None:
    """Locks and full disks pass; a failing disk, damage and missing permissions do not."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorname = name
    explained = store._database.explain(error)
    assert isinstance(explained, StoreUnavailable) == passes
    assert explained.exit_code == 3
