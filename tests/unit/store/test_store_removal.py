"""A tournament taken out of the store: as if it had never been, and the others are as before."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished

from arena.report.leaderboard_text import leaderboard_text
from arena.results.board import current_leaderboard
from arena.results.home import list_tournaments, remove_tournament
from arena.store import Edition, Store, open_store, removal, runner_lock
from arena.values.errors import RunnerBusy
from arena.values.said import Piece, SaidWhere


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all that is in a store, by table."""
    connection = sqlite3.connect(path)
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    found = {name: sorted(connection.execute(f"SELECT * FROM {name}")) for name in names}
    connection.close()
    return found


def played(store: Store, name: str, numbers: range) -> Edition:
    """Enter a tournament with everything that can belong to one, and some matches."""
    edition = store.tournaments.create(name, f"print of {name}", "{}", finished.entrants("abc"))
    for number in numbers:
        result = finished.match(number, ["a", "b"], [1, 2], tournament=name, ms=[[1.0], [1.0]])
        said = ((Piece(1, SaidWhere.STDERR, b"hm"),), ())
        store.matches.add(edition.id, replace(result, said=said))
    store.matches.add_void(edition.id, f"{name} 1", "lost", "2026-01-01T00:00:00Z")
    store.matches.give_up(edition.id, f"{name} 1", 99, "lost")
    store.rounds.go_on(edition.id, "", "{}")
    return edition


def remove(store: Store, tournament: int) -> tuple[int, int]:
    """Remove a tournament; return how many matches it had, and how much is free of the file."""
    removal, matches = store.removal(tournament), 0
    removal.begin()
    while removed := removal.step():
        matches += removed
    return matches, removal.end()


def look(store: Store, tournament: int | None) -> str:
    """Return a leaderboard, which is kept."""
    board = current_leaderboard(store.cache, tournament, None, label=None)
    return leaderboard_text(board, "json")


def test_nothing_of_it_is_left(store: Store, edition: Edition) -> None:
    """All tables are as they were before it began, whichever there are."""
    played(store, "first", range(5))
    before = rows_of(store.path)
    second = played(store, "second", range(10, 30))
    look(store, second.id)
    look(store, None)
    assert rows_of(store.path) != before
    matches, free = remove(store, second.id)
    assert rows_of(store.path) == before
    assert matches == 20
    assert free >= 0
    assert not store.check()


def test_every_table_is_of_a_tournament_or_of_the_home(store: Store) -> None:
    """A table without a column ``tournament`` would keep rows of one that was removed."""
    connection = sqlite3.connect(store.path)
    tables = {
        name: {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    connection.close()
    assert {name for name, columns in tables.items() if "tournament" not in columns} == {
        "bot",
        "people",
        "tournament",
        "tried",
    }


def test_a_table_that_is_made_meanwhile(store: Store) -> None:
    """Who began to look before a tournament was removed keeps nothing of it or over all."""
    first, second = played(store, "first", range(5)), played(store, "second", range(10, 30))
    scopes = (first.id, second.id, None)
    marks = [store.cache.mark(scope) for scope in scopes]
    remove(store, second.id)
    for scope, mark in zip(scopes, marks, strict=True):
        if mark is not None:
            store.cache.keep(scope, None, mark, {"some": b"data"})
    assert [store.cache.kept(scope, None) is None for scope in scopes] == [False, True, True]


def test_others_can_write_between_the_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner of another tournament waits for a step, and never for the whole removal."""
    with open_store(tmp_path, create=True) as store:
        first = played(store, "first", range(5))
        played(store, "second", range(10, 30))
    monkeypatch.setattr(removal, "STEP", 3)
    written: list[int] = []

    def write(seconds: float) -> None:
        with open_store(tmp_path, create=True) as other:
            number = 100 + len(written)
            written.append(other.matches.add(first.id, finished.match(number, "ab", [1, 2])))
            assert other.tournaments.all() == [other.tournaments.get(first.id)]
            look(other, None)

    monkeypatch.setattr(time, "sleep", write)
    assert remove_tournament(tmp_path, "second").matches == 20
    assert written == 7 * [1]
    with open_store(tmp_path, create=False) as store:
        assert len(list(store.matches.read(None))) == 12
        assert [row.games for row in current_leaderboard(store.cache, None).rows] == [12, 12, 0]
        assert not store.check()


def test_the_file_is_not_shrunk_while_somebody_runs(tmp_path: Path) -> None:
    """The runner would wait for as long as that takes, or give up; nothing is removed either."""
    with open_store(tmp_path, create=True) as store:
        played(store, "first", range(5))
        played(store, "second", range(10, 30))
    with runner_lock(tmp_path, "first"), pytest.raises(RunnerBusy, match="--shrink"):
        remove_tournament(tmp_path, "second", shrink=True)
    assert [row.matches for row in list_tournaments(tmp_path)] == [5, 20]
    assert remove_tournament(tmp_path, "second", shrink=True).matches == 20


def test_shrinking(store: Store) -> None:
    """What is free of the file is given back when that is asked for, and all else stays."""
    played(store, "first", range(5))
    many = played(store, "second", range(10, 400))
    _, free = remove(store, many.id)
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    size, before = store.path.stat().st_size, rows_of(store.path)
    store.shrink()
    assert store.path.stat().st_size <= size - free
    assert free > 100_000
    assert rows_of(store.path) == before
    assert not store.check()
