"""Opening a store: made when asked to, never by looking, and every obstacle is a sentence."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from support import finished
from support.sql import sql

from arena.database.schema import APPLICATION_ID, SHAPE, make_tables
from arena.database.sqlite import open_database
from arena.results.standings import read_leaderboard
from arena.review.reproduction import verify_all
from arena.store import Store, open_store
from arena.values.errors import StoreError, UsageError


def play_one(store: Store, number: int = 0) -> None:
    edition = store.tournaments.latest("open") or store.tournaments.create(
        "open", "f", {}, finished.entrants(["oak", "elm"])
    )
    finished.add(store, edition.id, finished.match(number, ["oak", "elm"], [1, 2]))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a store in which one match is."""
    with open_store(tmp_path, create=True) as store:
        play_one(store)
    return tmp_path


def close_to_writers(home: Path) -> None:
    (home / "arena.db").chmod(0o444)
    home.chmod(0o555)


def is_refused(home: Path, said: str) -> None:
    """Assert that a home is refused however it is opened, and left as it is."""
    before = (home / "arena.db").read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match=said):
            open_store(home, create=create)
    assert (home / "arena.db").read_bytes() == before


def test_writing_without_store_is_refused(tmp_path: Path) -> None:
    """Writing where there is no store is a ``StoreError``, and makes nothing."""
    with (
        open_store(tmp_path, create=False) as store,
        pytest.raises(StoreError, match="there is no store"),
    ):
        store.tournaments.create("open", "f", {}, [])
    assert os.listdir(tmp_path) == []


def test_it_is_a_log_file_database_of_ours(home: Path) -> None:
    """The file says what it is, which shape it has, and that it is written by a log."""
    pragmas = ("application_id", "user_version", "journal_mode")
    found = [sql(home, f"PRAGMA {name}") for name in pragmas]
    assert found == [[(APPLICATION_ID,)], [(SHAPE,)], [("wal",)]]


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
def test_durability(tmp_path: Path, durability: str, level: int) -> None:
    """``full`` waits for the disk at every commit, ``normal`` does not."""
    with open_store(tmp_path, create=True, durability=durability) as store:
        (synchronous,) = store._database.row("PRAGMA synchronous")
    assert synchronous == level


def test_home_that_is_file_is_refused(tmp_path: Path) -> None:
    """A home that is a file is a ``UsageError``."""
    (tmp_path / "home").touch()
    for create in (True, False):
        with pytest.raises(UsageError, match="is not a folder"):
            open_store(tmp_path / "home", create=create)
    with pytest.raises(StoreError, match="cannot use the home"):
        open_store(tmp_path / "home" / "below", create=True)


def test_a_database_of_others(tmp_path: Path) -> None:
    """Another program's database is refused, not turned into ours."""
    sql(tmp_path, "CREATE TABLE music (title)")
    is_refused(tmp_path, "not a store of the arena")


NEVER_RELEASED = r"never released .* use another --home"


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (99, f"newer.*shape 99, this one knows {SHAPE}"),
        (SHAPE - 2, NEVER_RELEASED),
        (1, NEVER_RELEASED),
        (0, NEVER_RELEASED),
    ],
)
def test_a_store_of_another_build(home: Path, shape: int, said: str) -> None:
    """A store of another shape is refused; for a newer one both shapes are named."""
    sql(home, f"PRAGMA user_version = {shape}")
    is_refused(home, said)


def of_shape_17(home: Path) -> None:
    """Make a home as it was before."""
    with closing(sqlite3.connect(home / "arena.db")) as connection:
        connection.executescript(Path(__file__).with_name("shape_17.sql").read_text())


def tables(home: Path) -> dict[str, list[object]]:
    """Return the columns of each table, without a connection of the arena."""
    query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'index')"
    return {
        name: sql(home, f"SELECT * FROM pragma_table_xinfo('{name}')")
        for (name,) in sql(home, query)
    }


def test_a_store_of_the_shape_before(tmp_path: Path, home: Path) -> None:
    """Opening it brings it up to date once; then it has the present tables, and goes on as it was.

    What was played there is in its records: 8 matches of leaves, and greedy won all of its own.
    """
    old = tmp_path / "old"
    old.mkdir()
    of_shape_17(old)
    with open_store(old, create=False) as store:
        assert [one.label for one in store.tournaments.all()] == ["small", "swiss"]
        small, swiss = store.tournaments.all()
        assert (small.seed, small.ended is not None, swiss.secret) == (7, True, True)
        assert [len(store.rounds.all(one.id)) for one in (small, swiss)] == [0, 2]
        assert store.check() == ""
    wrong = [found for _, found in verify_all([], old) if found]
    assert not wrong
    (first, last) = read_leaderboard(old, "small").rows
    assert (first.bot, first.wins, last.bot, last.losses) == ("greedy", 4, "random", 4)
    assert tables(old) == tables(home)


def test_a_store_of_the_shape_before_that_may_only_be_read(tmp_path: Path) -> None:
    """It stays as it is, and whoever may write it is asked to look first."""
    of_shape_17(tmp_path)
    before = (tmp_path / "arena.db").read_bytes()
    close_to_writers(tmp_path)

    def look() -> object:
        with pytest.raises(StoreError, match=r"earlier arena.*bring it up to date"):
            open_store(tmp_path, create=False)
        return ""

    assert finished.as_nobody(look) == ""
    assert (tmp_path / "arena.db").read_bytes() == before


def test_a_shape_that_changes_while_the_store_is_open(home: Path) -> None:
    """The next look refuses to go on."""
    with open_store(home, create=True) as store:
        store.look()
        sql(home, f"PRAGMA user_version = {SHAPE - 2}")
        with pytest.raises(StoreError, match="earlier build"):
            store.look()


def test_damaged_store_is_reported_when_read(home: Path) -> None:
    """A damaged page of the store is a ``StoreError`` once it is read."""
    path = home / "arena.db"
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is damaged"), open_store(home, create=False) as store:
        list(store.matches.texts())


def test_a_failure_leaves_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables are made in one transaction: the file stays empty, whichever statement fails."""

    def fail(point: str) -> None:
        raise OSError(point)

    monkeypatch.setattr("arena.database.schema.cross", fail)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(OSError, match="tables"):
            make_tables(connection)
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)


@pytest.mark.parametrize(
    "content", [b"not a database\n" * 500, b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    """A file that is no database is refused, and left as it is."""
    (tmp_path / "arena.db").write_bytes(content)
    is_refused(tmp_path, r"is not a store|is damaged")


def test_read_only_store_can_be_read(home: Path) -> None:
    """A store without write permission is read, writing is refused, and no table is kept."""
    close_to_writers(home)

    def look() -> object:
        with open_store(home, create=False) as store:
            mark = store.cache.mark(1)
            assert mark is not None
            store.cache.keep(1, None, mark, {"some": b"data"})
        with open_store(home, create=False, change=True) as store:
            assert store.cache.kept(1, None) is None
            with pytest.raises(StoreError, match="cannot be written"):
                play_one(store, 1)
            return len(list(store.matches.texts()))

    assert finished.as_nobody(look) == "1"


def test_end_of_reading_is_no_damage(home: Path) -> None:
    """Who was reading lets go of the rows late, when the store is closed: that is no damage."""
    database = open_database(home, create=False)
    rows = database.rows("SELECT 1 UNION SELECT 2")
    next(rows)
    database.close()
    assert isinstance(rows, Generator)
    rows.close()  # as the end of a generator does by itself
