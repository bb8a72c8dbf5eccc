"""Tables of a real store: what was folded is not read again, and never wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import finished

from arena.ratings.trueskill import rate
from arena.results.board import current_leaderboard
from arena.store import Edition, Store, open_store
from arena.values.model import Termination
from arena.values.tables import Rating

NAMES = ("oak", "elm", "fir")


def add(
    store: Store, edition: Edition, number: int, names: str, *ranks: int, game: str = "leaves"
) -> None:
    result = finished.match(number, names.split(), ranks, game=game)
    store.matches.add(edition.id, result)


def texts_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of every result that is read from now on."""
    read: list[int] = []
    original = store.folds.results

    def results(*scope: object, **between: object) -> Iterator[object]:
        for result in original(*scope, **between):  # type: ignore[arg-type]
            read.append(result[0][1])
            yield result

    monkeypatch.setattr(store.folds, "results", results)
    return read


def test_a_leaderboard_by_the_package(store: Store, edition: Edition) -> None:
    """Rows have the ratings of the package, folded match by match in schedule order."""
    matches = [("oak elm", 1, 2), ("elm fir", 1, 1), ("fir oak", 1, 2), ("oak fir", 2, 1)]
    for number in (2, 0, 3, 1):
        add(store, edition, number, *matches[number])
    ratings = {name: Rating() for name in NAMES}
    for names, *ranks in matches:
        pair = names.split()
        ratings.update(zip(pair, rate([ratings[name] for name in pair], ranks), strict=True))
    board = current_leaderboard(store.folds, edition.id, label="open", rating="trueskill")
    assert board.tournament == "open"
    assert {row.bot for row in board.rows} == set(NAMES)
    for row in board.rows:
        expected = ratings[row.bot]
        assert (row.mu, row.sigma) == pytest.approx((expected.mu, expected.sigma), abs=1e-6)
        assert row.score == pytest.approx(expected.mu - 3 * expected.sigma, abs=2e-6)
        assert (row.rating, row.version) == ("trueskill", 1)
    assert [row.score for row in board.rows] == sorted(
        (row.score for row in board.rows), reverse=True
    )


def test_nothing_new_reads_nothing(
    store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second look reads no match again, in another process neither."""
    for number in range(5):
        add(store, edition, number, "oak elm", 1, 2)
    first = current_leaderboard(store.folds, edition.id)
    with open_store(store.path.parent, create=False) as other:
        read = texts_read(other, monkeypatch)
        assert current_leaderboard(other.folds, edition.id) == first
        assert read == []


def test_a_stop_changes_the_board(store: Store, edition: Edition) -> None:
    """Matches past an early stop leave the table, and come back."""
    for number in range(3):
        add(store, edition, number, "oak elm", 1, 2)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 3
    store.tournaments.stop(edition.id, 1)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 1
    store.tournaments.stop(edition.id, None)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 3


def test_forfeits_are_on_the_board(store: Store, edition: Edition) -> None:
    """A fault is counted by its code for whom it was."""
    store.matches.add(
        edition.id,
        finished.match(0, ["oak", "elm"], [2, 1], faults=[(0, Termination.TIME)], ms=[[2.0], []]),
    )
    rows = {row.bot: row for row in current_leaderboard(store.folds, edition.id).rows}
    assert rows["oak"].faults == {"time": 1}
    assert rows["elm"].faults == {}
    assert (rows["oak"].mean_ms, rows["elm"].mean_ms) == (2.0, None)
