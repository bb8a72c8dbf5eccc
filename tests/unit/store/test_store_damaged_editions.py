"""A tournament whose row is damaged is damaged by itself: the others are as before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from support import finished

from arena.database.checksums import register, stamp
from arena.results.board import current_leaderboard
from arena.results.home import list_tournaments, remove_tournament
from arena.review.reproduction import verify_all
from arena.store import Edition, Store, open_store
from arena.values.errors import StoreError, UsageError

CONFIG = '{"seed":"secret","opening":{"setups":"sha256:00"}}'
# what somebody who knows of the hashes wrote, and what an accident did
WRITTEN = (
    "seed = 'abc'",
    "seed = ''",
    "seed = '1' || hex(zeroblob(30))",
    "config = '{'",
    "config = '[]'",
)
BY_ACCIDENT = (
    *("config = 'x'", "seed = '7'", "fingerprint = 'g'", "run_order = 'first'", "stop = 1"),
    *("created = x'ff'", "ended = 5", "name = 'opel'", "name = x'ff'", "edition = 'two'"),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with two tournaments, of which the second is the one run last."""
    with open_store(tmp_path, create=True) as store:
        for name, first in (("open", 0), ("cup", 10)):
            people = finished.entrants(["oak", "elm"])
            edition = store.tournaments.create(name, "f", CONFIG, people)
            for number in range(first, first + 3):
                result = finished.match(number, ["oak", "elm"], [1, 2], tournament=name)
                store.matches.add(edition.id, result)
    return tmp_path


def change(home: Path, sql: str, *, stamped: bool, name: str = "cup") -> None:
    connection = sqlite3.connect(home / "arena.db")
    register(connection)
    (row,) = connection.execute("SELECT id FROM tournament WHERE name = ?", (name,)).fetchone()
    connection.execute(f"UPDATE tournament SET {sql} WHERE id = ?", (row,))
    if stamped:
        stamp(connection.execute, "tournament", "id = ?", (row,))
    connection.commit()
    connection.close()


DAMAGE = pytest.mark.parametrize(
    ("sql", "stamped"), [*((sql, True) for sql in WRITTEN), *((sql, False) for sql in BY_ACCIDENT)]
)
FINDS: dict[str, Callable[[Store], Edition | None]] = {
    "get": lambda store: store.tournaments.get(2),
    "find": lambda store: store.tournaments.find(store.tournaments.all(damaged=True)[1].label),
    "last": lambda store: store.tournaments.last_run(),
}


@DAMAGE
@pytest.mark.parametrize("find", FINDS)
def test_whoever_means_it_hears_what_is_wrong(
    home: Path, sql: str, stamped: bool, find: str
) -> None:
    """The sentence says how to get rid of it; it is no error of the whole store."""
    change(home, sql, stamped=stamped)
    with open_store(home, create=False) as store:
        if find == "last" and sql.startswith("run_order"):
            pytest.skip("which was run last is what is damaged")
        with pytest.raises(StoreError, match=r"is damaged: .*arena tournaments remove"):
            FINDS[find](store)


@DAMAGE
def test_others_are_as_before(home: Path, sql: str, stamped: bool) -> None:
    """They are found, listed, verified and in the table over all, as if it were not there."""
    with open_store(home, create=False) as store:
        before = current_leaderboard(store.folds, 1, None, label="open")
        current_leaderboard(store.folds, None, None, label=None)  # which is kept
    change(home, sql, stamped=stamped)
    with open_store(home, create=False) as store:
        assert [edition.name for edition in store.tournaments.all()] == ["open"]
        assert store.tournaments.find("open").id == 1
        assert [row.number for row in store.matches.list()] == [0, 1, 2]
        assert len(list(store.matches.texts())) == 3
        assert current_leaderboard(store.folds, 1, None, label="open") == before
        together = current_leaderboard(store.folds, None, None, label=None)
        assert [row.games for row in together.rows] == [3, 3]
        assert "cup" in store.tournaments.unfinished() or "name" in sql or "edition" in sql
        store.check()
    rows = list_tournaments(home)
    assert [row.state for row in rows] == ["unfinished", "damaged"]
    assert rows[1].damage
    with pytest.raises(UsageError, match="there are"):
        remove_tournament(home, "nothing")
    found = dict(verify_all([], home))
    assert len(found) == 4
    assert found[rows[1].tournament] == [rows[1].damage]


@DAMAGE
def test_it_can_be_removed(home: Path, sql: str, stamped: bool) -> None:
    """By the name under which it is listed; nothing is left of it."""
    change(home, sql, stamped=stamped)
    name = list_tournaments(home)[1].tournament
    assert remove_tournament(home, name).matches == 3
    assert [row.tournament for row in list_tournaments(home)] == ["open"]
    connection = sqlite3.connect(home / "arena.db")
    counts = [
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        for table in ("tournament", "match", "record", "tally")
    ]
    connection.close()
    assert counts == [(1,), (3,), (3,), (1,)]


def test_the_newest_edition_may_be_the_damaged_one(home: Path) -> None:
    """A name means its newest edition, and is never silently the one before."""
    with open_store(home, create=False) as store:
        store.tournaments.create("open", "g", "{}", finished.entrants(["oak"]))
    connection = sqlite3.connect(home / "arena.db")
    connection.execute("UPDATE tournament SET config = 'x' WHERE edition = 2")
    connection.commit()
    connection.close()
    with open_store(home, create=False) as store:
        for find in (store.tournaments.latest, store.tournaments.find):
            with pytest.raises(StoreError, match="open#2"):
                find("open")
        assert store.tournaments.find("open#1").id == 1
