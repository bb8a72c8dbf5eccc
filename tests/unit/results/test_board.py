"""Tables of a real store: what was folded is not read again, and never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished

from arena.ratings.trueskill import rate
from arena.results.board import current_crosstable, current_leaderboard
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


def test_only_what_is_new_is_read(
    store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After more matches only those are read."""
    for number in range(3):
        add(store, edition, number, "oak elm", 1, 2)
    current_leaderboard(store.folds, edition.id)
    read = texts_read(store, monkeypatch)
    for number in (3, 5):
        add(store, edition, number, "oak elm", 1, 2)
    current_leaderboard(store.folds, edition.id)
    assert read == [3, 5]


def test_a_late_match_costs_what_came_after_the_gap(
    store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was folded before the gap is not folded again."""
    for number in (0, 1, 2, 4, 5):
        add(store, edition, number, "oak elm", 1, 2)
    current_leaderboard(store.folds, edition.id)
    read = texts_read(store, monkeypatch)
    add(store, edition, 3, "oak elm", 2, 1)
    current_leaderboard(store.folds, edition.id)
    assert read == [3, 4, 5]


def test_games_have_boards_of_their_own(store: Store, edition: Edition) -> None:
    """A rating a game, and one of all of them."""
    add(store, edition, 0, "oak elm", 1, 2)
    add(store, edition, 1, "oak elm", 2, 1, game="treeblox")
    boards = {
        game: {
            row.bot: row
            for row in current_leaderboard(store.folds, edition.id, game, rating="trueskill").rows
        }
        for game in (None, "leaves", "treeblox", "arborius")
    }
    assert [boards[game]["oak"].games for game in boards] == [2, 1, 1, 0]
    assert boards["leaves"]["oak"].wins == boards["treeblox"]["elm"].wins == 1
    assert boards["leaves"]["oak"].mu == pytest.approx(29.396, abs=1e-3)


def test_all_tournaments_together(store: Store, edition: Edition) -> None:
    """Merged, a bot's matches of all tournaments are one history, in the order of tournaments."""
    second = store.tournaments.create("cup", "f", "{}", finished.entrants(["oak", "elm"]))
    add(store, second, 1, "oak elm", 1, 2)
    before = {row.bot: row for row in current_leaderboard(store.folds, rating="trueskill").rows}
    add(store, edition, 0, "elm oak", 1, 2)
    after = {row.bot: row for row in current_leaderboard(store.folds, rating="trueskill").rows}
    assert (before["oak"].games, after["oak"].games, after["fir"].games) == (1, 2, 0)
    ratings = rate([Rating(), Rating()], [1, 2])
    elm, oak = rate(ratings, [2, 1])
    assert (after["elm"].mu, after["oak"].mu) == pytest.approx((elm.mu, oak.mu), abs=1e-6)


def test_a_stop_changes_the_board(store: Store, edition: Edition) -> None:
    """Matches past an early stop leave the table, and come back."""
    for number in range(3):
        add(store, edition, number, "oak elm", 1, 2)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 3
    store.tournaments.stop(edition.id, 1)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 1
    store.tournaments.stop(edition.id, None)
    assert current_leaderboard(store.folds, edition.id).rows[0].games == 3


def test_crosstable_in_the_order_of_the_board(store: Store, edition: Edition) -> None:
    """Rows and columns go from the best to the last."""
    add(store, edition, 0, "elm fir", 1, 2)
    add(store, edition, 1, "oak fir", 2, 1)
    table = current_crosstable(store.folds, edition.id, label="open")
    board = current_leaderboard(store.folds, edition.id)
    assert table.bots == tuple(row.bot for row in board.rows)
    assert table.tournament == "open"
    totals = {(row.bot, row.opponent): row.points for row in table.rows if row.seat is None}
    assert totals == {
        ("elm", "fir"): 1.0,
        ("fir", "elm"): 0.0,
        ("fir", "oak"): 1.0,
        ("oak", "fir"): 0.0,
    }


def test_bots_of_one_name_are_told_apart(store: Store, edition: Edition) -> None:
    """Merged, two versions of one name are ``name@version``, others keep their plain names."""
    oak, elm, _ = finished.entrants(NAMES)
    newer = replace(oak, bot=replace(oak.bot, version=2, hash="sha256:ff"))
    second = store.tournaments.create("cup", "f", "{}", [newer, elm])
    add(store, edition, 0, "oak elm", 1, 2)
    add(store, second, 1, "oak elm", 1, 2)
    assert set(current_crosstable(store.folds).bots) == {"oak@1", "oak@2", "elm", "fir"}


def test_nothing_yet(tmp_path: Path) -> None:
    """Without a store, tables are empty, and none is made."""
    with open_store(tmp_path / "home", create=False) as store:
        assert current_leaderboard(store.folds).rows == ()
        assert current_crosstable(store.folds).rows == ()
    assert not (tmp_path / "home").exists()


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
