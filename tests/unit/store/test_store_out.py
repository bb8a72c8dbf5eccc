"""Who is out in the store: suspended or taken out, left out of tables, and never rewritten."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import finished

from arena.packed.match import pack
from arena.progress.suspensions import Suspensions
from arena.ratings.fold import fold
from arena.results.board import current, current_crosstable, current_leaderboard
from arena.store import Edition, Store
from arena.store.entrants import read_out
from arena.values.model import Termination
from arena.values.tables import OutRow

NAMES = ("oak", "elm", "fir")
DEAD = [(1, Termination.STARTUP)]
PAIRS = [("oak", "elm"), ("elm", "fir"), ("fir", "oak")]


def play(store: Store, edition: Edition, *numbers: int) -> None:
    """Play matches: 0, 3, 6 … are of oak and elm, 1, 4, 7 … of elm and fir, the others of both."""
    for number in numbers:
        store.matches.add(edition.id, finished.match(number, PAIRS[number % 3], [1, 2]))


def is_up_to_date(store: Store, edition: Edition) -> bool:
    at_once = fold(store.folds.results(edition.id))
    return current(store.folds, edition.id).standings == at_once


def test_no_match_of_who_is_out_counts(store: Store, edition: Edition) -> None:
    """Not for the one who is out, and not for opponents; every match stays, and is marked."""
    play(store, edition, *range(6))
    texts = list(store.matches.texts(edition.id))
    store.tournaments.suspend(edition.id, {"elm": "3 faults"})
    board = current_leaderboard(store.folds, edition.id)
    assert {row.bot: row.games for row in board.rows} == {"oak": 2, "fir": 2}
    assert board.out == (OutRow("elm", 1, "suspended: 3 faults"),)
    assert current_crosstable(store.folds, edition.id).bots in (("oak", "fir"), ("fir", "oak"))
    listed = list(store.matches.list(edition.id))
    assert [row.counted for row in listed] == [False, False, True] * 2
    assert list(store.matches.texts(edition.id)) == [texts[2], texts[5]]
    assert list(store.matches.texts(edition.id, counted=False)) == texts
    store.tournaments.suspend(edition.id, {})
    store.tournaments.take_out(edition.id, {"oak"})
    board = current_leaderboard(store.folds, edition.id)
    assert {row.bot: row.games for row in board.rows} == {"elm": 2, "fir": 2}
    assert board.out == (OutRow("oak", 1, "taken out"),)
    store.tournaments.take_out(edition.id, ())
    board = current_leaderboard(store.folds, edition.id)
    assert [row.games for row in board.rows] == [4, 4, 4]
    assert board.out == ()


def test_entries_say_who_is_out(store: Store, edition: Edition) -> None:
    """What the file said last, and why somebody is suspended."""
    store.tournaments.take_out(edition.id, {"oak", "elm"})
    store.tournaments.suspend(edition.id, {"fir": "3 faults"})
    entries = {entry.name: entry for entry in store.tournaments.entries(edition.id)}
    assert [(e.out, e.state) for e in entries.values()] == [
        (True, ""),
        (True, ""),
        (False, "3 faults"),
    ]
    store.tournaments.suspend(edition.id, {"oak": "1 fault"})
    assert [e.state for e in store.tournaments.entries(edition.id)] == ["1 fault", "", ""]


class TestTables:
    """No table holds a match that does not count, whenever somebody looks."""

    def test_a_table_is_of_those_who_count(self, store: Store, edition: Edition) -> None:
        """A kept table is not used once somebody else is out, and is right when all are back."""
        play(store, edition, 0, 1, 2)
        everybody = current(store.folds, edition.id).standings
        merged = current(store.folds, None).standings
        for out in (["elm"], ["elm", "oak"], []):
            store.tournaments.take_out(edition.id, out)
            assert is_up_to_date(store, edition)
        assert current(store.folds, edition.id).standings == everybody
        assert current(store.folds, None).standings == merged

    def test_a_table_that_was_being_made(self, store: Store, edition: Edition) -> None:
        """What was read before somebody was taken out is no table of the time after it."""
        play(store, edition, 0, 1, 2)
        for scope in (edition.id, None):
            mark = store.folds.mark(scope)
            assert mark is not None
            store.tournaments.take_out(edition.id, [] if scope is None else ["elm"])
            assert store.folds.basis(scope) != mark.basis
            store.folds.keep(scope, None, mark, {"some": b"data"})
            assert store.folds.kept(scope, None) is None

    def test_others_tables_stay(self, store: Store, edition: Edition) -> None:
        """Who is out in one tournament changes no table of another, but that of all together."""
        second = store.tournaments.create("b", "f", "{}", finished.entrants(NAMES))
        before, all_before = store.folds.basis(second.id), store.folds.basis(None)
        store.tournaments.take_out(edition.id, {"elm"})
        assert store.folds.basis(second.id) == before
        assert store.folds.basis(None) != all_before

    def test_matches_that_never_come_are_no_gap(self, store: Store, edition: Edition) -> None:
        """With elm out, number 2 is the first to come; a runner notes how far none is missing."""
        store.tournaments.take_out(edition.id, {"elm"})
        assert store.folds.first_gap(edition.id) == 0
        store.tournaments.complete_to(edition.id, 2)
        assert store.folds.first_gap(edition.id) == 2
        play(store, edition, 2)
        assert store.folds.first_gap(edition.id) == 3
        store.tournaments.complete_to(edition.id, 8)
        assert store.folds.first_gap(edition.id) == 8
        assert store.folds.first_gap(edition.id, after=9) == 10
        # it held for those who were out then
        store.tournaments.take_out(edition.id, ())
        assert store.folds.first_gap(edition.id) == 0
        store.tournaments.complete_to(edition.id, 8)
        store.tournaments.suspend(edition.id, {"elm": "3 faults"})
        assert store.folds.first_gap(edition.id) == 0

    def test_late_matches_read_little_where_somebody_is_out(
        self, store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A match that comes late is folded in at its place, from what a runner noted on."""
        store.tournaments.take_out(edition.id, {"elm"})
        play(store, edition, 2, 5, 8, 14)  # 11 is late
        store.tournaments.complete_to(edition.id, 11)
        current_leaderboard(store.folds, edition.id)
        play(store, edition, 11)
        read: list[int] = []
        original = store.folds.results

        def results(*scope: object, **between: object) -> Iterator[object]:
            for result in original(*scope, **between):  # type: ignore[arg-type]
                read.append(result[0][1])
                yield result

        monkeypatch.setattr(store.folds, "results", results)
        current_leaderboard(store.folds, edition.id)
        assert read == [11, 14]
        monkeypatch.undo()
        assert is_up_to_date(store, edition)

    def test_a_late_match_of_who_is_out_is_no_damage(self, store: Store, edition: Edition) -> None:
        """It was under way when its entrant was suspended: nothing that counts is missing."""
        store.tournaments.take_out(edition.id, {"elm"})
        play(store, edition, 2, 5)
        store.tournaments.complete_to(edition.id, 6)
        before = current_leaderboard(store.folds, edition.id)
        play(store, edition, 4)
        assert current_leaderboard(store.folds, edition.id) == before
        play(store, edition, 8)
        assert is_up_to_date(store, edition)


def test_all_together_say_of_which(store: Store, edition: Edition) -> None:
    """Over all tournaments, an entrant counts where it is not out, and is named where it is."""
    second = store.tournaments.create("open", "g", "{}", finished.entrants(NAMES))
    play(store, edition, 0)
    store.matches.add(second.id, finished.match(3, ["elm", "fir"], [1, 2]))
    store.tournaments.suspend(edition.id, {"elm": "3 faults"})
    store.tournaments.take_out(second.id, {"oak"})
    board = current_leaderboard(store.folds, None)
    assert {row.bot: row.games for row in board.rows} == {"oak": 0, "elm": 1, "fir": 1}
    assert board.out == (
        OutRow("elm", 1, "suspended in open: 3 faults"),
        OutRow("oak", 1, "taken out of open#2"),
    )


def test_failed_starts(store: Store, edition: Edition) -> None:
    """Matches in which a seat failed to start are found by their numbers, with their faults."""
    seats = ("oak", "elm")
    faults = [[(0, Termination.CRASH)], DEAD, []]
    for number, wrong in enumerate(faults):
        store.matches.add(edition.id, finished.match(number, seats, [2, 1], faults=wrong))
    assert store.starts.failed(edition.id) == [1]
    (start,) = store.starts.read(edition.id, 1, 2)
    assert (start.number, start.entrants, start.failed) == (1, seats, (1,))


def test_entrants_are_read_once_however_often_starts_are_counted(store: Store) -> None:
    """A run counts after every few matches, and there may be 100,000 entrants."""
    people = finished.entrants([*NAMES, "yew"])
    edition = store.tournaments.create("cup", "f", "{}", people[:2])
    suspensions = Suspensions(store, edition, max_faults=100)
    read: list[str] = []
    store._database.connection.set_trace_callback(read.append)
    for number in range(20):
        match = finished.match(number, ("oak", "elm"), [2, 1], faults=DEAD)
        store.matches.add(edition.id, match)
        suspensions.played(pack(match))
        suspensions.count(number + 1)
    store._database.connection.set_trace_callback(None)
    of_entrants = [sql for sql in read if "FROM entrant" in sql]
    assert len(of_entrants) == 2, "to write their numbers, and to read their names"
    store.tournaments.extend(edition.id, "g", "{}", people)
    store.matches.add(edition.id, finished.match(20, ("fir", "yew"), [1, 2], faults=DEAD))
    (start,) = store.starts.read(edition.id, 20)
    assert start.entrants == ("fir", "yew")


def test_who_is_out_is_found_without_reading_the_others(store: Store, edition: Edition) -> None:
    """Of those who play not even the arguments are read."""
    store.tournaments.take_out(edition.id, {"oak"})
    store.tournaments.suspend(edition.id, {"fir": "3 faults"})
    connection = store._database.connection
    connection.execute("UPDATE entrant SET args = 'x' WHERE name = 'elm'")
    assert read_out(store._database, edition.id) == [1, 3]
    assert read_out(store._database) == [1, 3]
