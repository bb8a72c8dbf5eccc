"""A tournament taken out of the store: as if it had never been, and the others are as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import finished
from support.sql import TABLES, sql

from arena.results.home import find_edition, list_tournaments, remove_tournament
from arena.store import Store, open_store, runner_lock
from arena.values.errors import RunnerBusy
from arena.values.tables import EditionState


def test_every_table_is_of_a_tournament_or_of_the_home(store: Store) -> None:
    """A table without a column ``tournament`` would keep rows of one that was removed."""
    home = store.path.parent
    others = {
        name
        for (name,) in sql(home, TABLES)
        if not any(row[1] == "tournament" for row in sql(home, f"PRAGMA table_info({name})"))
    }
    assert others == {"bot", "people", "tournament", "tried"}


def test_the_file_is_not_shrunk_while_somebody_runs(tmp_path: Path) -> None:
    """The runner would wait for as long as that takes, or give up; nothing is removed either."""
    with open_store(tmp_path, create=True) as store:
        for name, numbers in (("first", range(5)), ("second", range(10, 30))):
            edition = store.tournaments.create(name, "f", {}, finished.entrants("ab"))
            finished.add(store, edition.id, *[finished.match(n, "ab", [1, 2]) for n in numbers])
    with runner_lock(tmp_path, "first"), pytest.raises(RunnerBusy, match="--shrink"):
        remove_tournament(tmp_path, "second", shrink=True)
    assert [row.matches for row in list_tournaments(tmp_path)] == [5, 20]
    assert remove_tournament(tmp_path, "second", shrink=True).matches == 20


def test_only_the_newest_edition_of_a_name_is_running(tmp_path: Path) -> None:
    """An earlier edition rests while the newest is run, in the list and when it is asked for."""
    with open_store(tmp_path, create=True) as store:
        for _ in range(2):
            store.tournaments.create("cup", "f", {}, finished.entrants("ab"))
    with runner_lock(tmp_path, "cup"):
        asked = [find_edition(tmp_path, name).state for name in ("cup#1", "cup#2", "cup")]
        listed = [row.state for row in list_tournaments(tmp_path)]
    rests, runs = EditionState.UNFINISHED, EditionState.RUNNING
    assert (asked, listed) == ([rests, runs, runs], [rests, runs])
