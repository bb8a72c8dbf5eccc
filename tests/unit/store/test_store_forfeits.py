"""Unplayed forfeits in the store: in place of what was played, and out of the way again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import finished
import pytest

from arena.model import MatchResult, Termination
from arena.ratings.board import current_leaderboard, current_standings
from arena.ratings.fold import fold
from arena.store import Edition, Store, open_store
from arena.store.matches import Outcome
from arena.store.migrations import APPLICATION_ID, create_tables
from arena.store.packed import Packed, pack

NAMES = ("oak", "elm", "fir")
DEAD = [(1, Termination.STARTUP)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path, create=True) as opened:
        yield opened


@pytest.fixture
def edition(store: Store) -> Edition:
    return store.tournaments.create("open", "f", "{}", finished.entrants(NAMES))


def play(store: Store, edition: Edition, number: int, **more: object) -> None:
    store.matches.add(edition.id, finished.match(number, ["oak", "elm"], [2, 1], **more))


def unplayed(number: int) -> Packed:
    return pack(finished.match(number, ["oak", "elm"], [1, 2], faults=DEAD, unplayed=True))


def marks(store: Store, edition: Edition) -> list[tuple[int, bool]]:
    return [(row.number, row.unplayed) for row in store.matches.list(edition.id)]


def is_up_to_date(store: Store, edition: Edition) -> bool:
    at_once = fold(store.folds.results(edition.id))
    return current_standings(store.folds, edition.id) == at_once


def test_forfeits_take_the_place_of_what_was_played(store: Store, edition: Edition) -> None:
    """Under the same ids and numbers, new ones beside; delivered again, the same."""
    for number in (0, 1):
        play(store, edition, number)
    for _ in range(2):
        store.matches.forfeit(edition.id, [unplayed(1), unplayed(2)])
        assert marks(store, edition) == [(0, False), (1, True), (2, True)]
        assert list(store.matches.texts(edition.id))[1:] == [unplayed(1).text, unplayed(2).text]
    assert store.matches.text(unplayed(1).id) == unplayed(1).text
    assert store.matches.count(edition.id) == 3


def test_all_or_nothing(store: Store, edition: Edition) -> None:
    """If one of many cannot be stored, none is."""
    play(store, edition, 0)
    stranger = pack(finished.match(5, ["ash", "elm"], [1, 2], faults=DEAD, unplayed=True))
    with pytest.raises(Exception, match='"ash" is not entered'):
        store.matches.forfeit(edition.id, [unplayed(0), stranger])
    assert marks(store, edition) == [(0, False)]


def test_a_forfeit_gives_way_to_a_match(store: Store, edition: Edition) -> None:
    """A match that is played after all replaces its forfeit, never the other way by ``add``."""
    store.matches.forfeit(edition.id, [unplayed(0)])
    assert store.matches.add(edition.id, unplayed(0)) is False
    result = finished.match(0, ["oak", "elm"], [2, 1])
    assert store.matches.add(edition.id, result) is True
    assert marks(store, edition) == [(0, False)]
    assert store.matches.add(edition.id, unplayed(0)) is False
    assert marks(store, edition) == [(0, False)]


def test_an_undecided_match_has_no_forfeit(store: Store, edition: Edition) -> None:
    """Who gives a match up takes its forfeit back; a match that was played stays."""
    store.matches.forfeit(edition.id, [unplayed(3)])
    current_leaderboard(store.folds, edition.id)
    store.matches.give_up(edition.id, unplayed(3).id, 3, "void 3 times")
    assert marks(store, edition) == []
    assert [match.number for match in store.matches.undecided(edition.id)] == [3]
    play(store, edition, 4)  # perhaps under the number of the record that is gone
    assert is_up_to_date(store, edition)
    result = finished.record(4, ["oak", "elm"], [2, 1])
    store.matches.give_up(edition.id, result.id, 4, "void 3 times")
    assert marks(store, edition) == [(4, False)]


def test_faults_of_forfeits_are_not_counted(store: Store, edition: Edition) -> None:
    """The leaderboard counts a forfeit as a match, and its fault not again."""
    play(store, edition, 0, faults=DEAD)
    store.matches.forfeit(edition.id, [unplayed(1), unplayed(2)])
    rows = {row.bot: row for row in current_leaderboard(store.folds, edition.id).rows}
    assert rows["elm"].faults == {"startup": 1}
    assert (rows["elm"].games, rows["oak"].wins) == (3, 2)
    assert [row.faults for row in store.matches.list(edition.id)] == [((1, "startup"),)] * 3


def test_forfeits_are_no_duplicates(store: Store, edition: Edition) -> None:
    """Two forfeits on one deal repeat nothing: nothing was played."""
    store.matches.forfeit(edition.id, [unplayed(1), unplayed(2)])
    assert store.matches.duplicates(edition.id) == 0


def test_outcomes(store: Store, edition: Edition) -> None:
    """Seats that failed to start, of matches and forfeits; other faults are left out."""
    play(store, edition, 0, faults=[(0, Termination.CRASH)])
    assert store.matches.first_failed_start(edition.id) is None
    play(store, edition, 1, faults=DEAD)
    store.matches.forfeit(edition.id, [unplayed(2)])
    assert store.matches.first_failed_start(edition.id) == 1
    seats = ("oak", "elm")
    assert list(store.matches.outcomes(edition.id, 1)) == [
        Outcome(1, "leaves", "leaves|elm+oak|1", 0, seats, (1,), False),
        Outcome(2, "leaves", "leaves|elm+oak|2", 0, seats, (1,), True),
    ]
    assert [outcome.failed for outcome in store.matches.outcomes(edition.id)] == [(), (1,), (1,)]


class TestTables:
    """No table holds what was replaced, whenever somebody looks."""

    def test_a_replaced_match_spoils(self, store: Store, edition: Edition) -> None:
        """A kept table over a match that is replaced is forgotten, one before it is not."""
        for number in range(4):
            play(store, edition, number)
        current_leaderboard(store.folds, edition.id)
        current_leaderboard(store.folds, None)
        store.folds.keep(
            "k", edition.id, None, last=(edition.id, 1), seen=0, complete=True, text=""
        )
        store.matches.forfeit(edition.id, [unplayed(2)])
        assert [fold.last for fold in store.folds.kept("k", edition.id, None)] == [(edition.id, 1)]
        assert is_up_to_date(store, edition)
        assert current_standings(store.folds, None).table

    def test_a_table_that_was_being_made(self, store: Store, edition: Edition) -> None:
        """A table made from what was there before is not kept after a match was replaced."""
        for number in range(2):
            play(store, edition, number)
        revision = store.folds.revision(edition.id)
        assert revision == store.folds.revision(None)
        store.matches.forfeit(edition.id, [unplayed(1)])
        for scope, kept in ((edition.id, []), (None, [])):
            store.folds.keep(
                *("k", scope, None),
                last=(edition.id, 1),
                seen=2,
                complete=True,
                text="",
                revision=revision,
            )
            assert store.folds.kept("k", scope, None) == kept

    def test_new_forfeits_replace_nothing(self, store: Store, edition: Edition) -> None:
        """Forfeits of matches that nobody had played leave every kept table as it is."""
        play(store, edition, 0)
        current_leaderboard(store.folds, edition.id)
        revision = store.folds.revision(edition.id)
        store.matches.forfeit(edition.id, [unplayed(1)])
        assert store.folds.revision(edition.id) == revision
        assert is_up_to_date(store, edition)


def test_who_is_suspended(store: Store, edition: Edition) -> None:
    """States by name; over all tournaments with the place, also where a bot is twice suspended."""
    second = store.tournaments.create("open", "g", "{}", finished.entrants(NAMES))
    assert store.folds.suspended(None) == {}
    for one in (edition, second):
        store.tournaments.set_state(one.id, "elm", "3 faults")
    assert store.folds.suspended(edition.id) == {"elm": "3 faults"}
    ((_, why),) = store.folds.suspended(None).items()
    assert why == "3 faults of open; 3 faults of open#2"
    rows = current_leaderboard(store.folds, second.id).rows
    assert [row.bot for row in rows if row.suspended] == ["elm"]


def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    """In a store of the first shape every match was played, and can be replaced by a forfeit."""
    connection = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    create_tables(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.execute(
        "INSERT INTO tournament (id, name, edition, fingerprint, config, created, last_run,"
        " run_order) VALUES (1, 'open', 1, 'f', '{}', 'then', 'then', 1)"
    )
    for name in NAMES:
        connection.execute(
            "INSERT INTO entrant (tournament, name, bot, version, hash, args, position)"
            " VALUES (1, ?, ?, 1, 'sha256:0', '[]', 0)",
            (name, name),
        )
    old = pack(MatchResult(0, finished.record(0, ["oak", "elm"], [2, 1])))
    connection.execute("INSERT INTO record VALUES (1, 1, 0, ?, ?)", (old.id, old.text))
    connection.execute(
        "INSERT INTO match VALUES (1, 0, 1, 'leaves', ?, 0, 'rules', '1,2', '2,1', '', '0,0',"
        " '0,0', 5)",
        (old.block,),
    )
    connection.close()
    with open_store(tmp_path, create=False) as store:
        (edition,) = store.tournaments.all()
        assert marks(store, edition) == [(0, False)]
        assert store.folds.revision(edition.id) == 0
        store.matches.forfeit(edition.id, [unplayed(0)])
        assert marks(store, edition) == [(0, True)]
