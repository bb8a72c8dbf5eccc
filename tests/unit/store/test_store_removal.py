"""A tournament taken out of the store: as if it had never been, and the others are as before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import finished
from support.sql import TABLES, sql

from arena.results.home import list_tournaments, remove_tournament
from arena.store import Edition, Store, open_store, runner_lock
from arena.values.errors import RunnerBusy
from arena.values.said import Piece, SaidWhere


def played(store: Store, name: str, numbers: range) -> Edition:
    """Enter a tournament with everything that can belong to one, and some matches."""
    edition = store.tournaments.create(name, f"print of {name}", "{}", finished.entrants("abc"))
    for number in numbers:
        result = finished.match(number, ["a", "b"], [1, 2], tournament=name, ms=[[1.0], [1.0]])
        said = ((Piece(1, SaidWhere.STDERR, b"hm"),), ())
        finished.add(store, edition.id, replace(result, said=said))
    store.matches.add_void(edition.id, f"{name} 1", "lost", "2026-01-01T00:00:00Z")
    store.matches.give_up(edition.id, f"{name} 1", 99, "lost")
    store.rounds.go_on(edition.id, "", "{}")
    return edition


def test_every_table_is_of_a_tournament_or_of_the_home(store: Store) -> None:
    """A table without a column ``tournament`` would keep rows of one that was removed."""
    home = store.path.parent
    tables = {
        name: {row[1] for row in sql(home, f"PRAGMA table_info({name})")}
        for (name,) in sql(home, TABLES)
    }
    assert {name for name, columns in tables.items() if "tournament" not in columns} == {
        "bot",
        "people",
        "tournament",
        "tried",
    }


def test_the_file_is_not_shrunk_while_somebody_runs(tmp_path: Path) -> None:
    """The runner would wait for as long as that takes, or give up; nothing is removed either."""
    with open_store(tmp_path, create=True) as store:
        played(store, "first", range(5))
        played(store, "second", range(10, 30))
    with runner_lock(tmp_path, "first"), pytest.raises(RunnerBusy, match="--shrink"):
        remove_tournament(tmp_path, "second", shrink=True)
    assert [row.matches for row in list_tournaments(tmp_path)] == [5, 20]
    assert remove_tournament(tmp_path, "second", shrink=True).matches == 20
