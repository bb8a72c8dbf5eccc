"""Leaderboards of a real store: the same however results came, kept, and never wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.reported import filled_home

from arena.ratings import likelihoods as intervals
from arena.ratings import totals
from arena.ratings.trueskill import rate
from arena.report.leaderboard_text import leaderboard_text
from arena.results.board import current, current_leaderboard
from arena.results.standings import read_crosstable, read_leaderboard
from arena.schedule.plan import Meeting, Plan
from arena.store import Edition, Store, open_store
from arena.store.match_rows import read_matches
from arena.values.tables import Leaderboard, MatchRow, Rating, Unexpected

NAMES = ("oak", "elm", "fir")


def add(
    store: Store,
    edition: Edition,
    number: int,
    names: str,
    *ranks: int,
    play: str = "",
    **more: Any,
) -> None:
    """Store a match of the block ``number // 2``; it is like others with the same ``play``."""
    result = finished.match(
        number,
        names.split(),
        ranks,
        id=f"{edition.id}-{number}",
        block=f"leaves|{'+'.join(sorted(names.split()))}|{number // 2}",
        seating=number % 2,
        setup=play or f"{edition.id}-{number}",
        **more,
    )
    store.matches.add(edition.id, result)


MATCHES = [
    ("oak elm", 1, 2),
    ("elm oak", 1, 2),
    ("oak fir", 1, 2),
    ("fir oak", 2, 1),
    ("elm fir", 1, 1),
    ("fir elm", 2, 1),
]


def play_all(store: Store, edition: Edition) -> Leaderboard:
    for number, match in enumerate(MATCHES):
        add(store, edition, number, *match)
    return current_leaderboard(store.cache, edition.id)


def test_the_board_sorts_by_elo(store: Store, edition: Edition) -> None:
    """Rows go by Elo, have an interval and the likelihood that they are above the next."""
    board = play_all(store, edition)
    assert [row.bot for row in board.rows] == ["oak", "elm", "fir"]
    assert [row.score for row in board.rows] == sorted([row.score or 0.0 for row in board.rows])[
        ::-1
    ]
    assert sum(row.score or 0.0 for row in board.rows) == pytest.approx(4500, abs=0.1)
    for row in board.rows:
        assert row.rating == "order-free"
        assert row.score == pytest.approx(1500 + 47.04 * (row.mu - 25), abs=0.1)
        assert row.interval != "not known"
    assert [row.los is None for row in board.rows] == [False, False, True]
    assert all(0.5 < (row.los or 1.0) < 1.0 for row in board.rows[:2])


def test_when_results_came_changes_nothing(tmp_path: Path) -> None:
    """Whatever the order of arrival, and however often somebody looked, the board is the same."""
    boards = set()
    for turn, order in enumerate(list(permutations(range(6)))[::97]):
        with open_store(tmp_path / str(turn), create=True) as store:
            edition = store.tournaments.create("open", "f", "{}", finished.entrants(NAMES))
            for number in order:
                add(store, edition, number, *MATCHES[number])
                if turn % 2:
                    current_leaderboard(store.cache, edition.id)
            boards.add(str(current_leaderboard(store.cache, edition.id).rows))
    assert len(boards) == 1


KEPT = "SELECT * FROM cache JOIN cache_part USING (tournament, game) ORDER BY part"


@pytest.mark.parametrize("together", [1, 4, 100])
def test_a_look_reads_each_match_once(
    together: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All folds are made of one reading, and are the same however many looks there were."""
    monkeypatch.setattr(totals, "TOGETHER", together)
    # a fold keeps when its tournament was made
    monkeypatch.setattr("arena.store.tournaments.now", lambda: "2026-01-01T00:00:00Z")
    read: list[int] = []

    def note(*words: Any, **more: Any) -> Iterator[MatchRow]:
        for row in read_matches(*words, **more):
            read.append(row.number)
            yield row

    monkeypatch.setattr("arena.store.results_cache.read_matches", note)
    found = []
    for at_once in (True, False):
        with open_store(tmp_path / str(at_once), create=True) as store:
            edition = store.tournaments.create("open", "f", "{}", finished.entrants(NAMES))
            for number, match in enumerate(MATCHES):
                add(store, edition, number + 2 * (number > 3), *match)  # 4 and 5 are missing
                if not at_once:
                    current_leaderboard(store.cache, edition.id)
            read.clear()
            board = current_leaderboard(store.cache, edition.id)
            assert read == ([0, 1, 2, 3, 6, 7] if at_once else [6, 7])
            kept = store.cache._database.rows(KEPT)
            found.append((board, [row for row in kept if row[-2] != "table"]))
    assert found[0] == found[1]


def test_nothing_new_computes_nothing(
    store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second look, by whoever it is, takes the kept table; so does one after other news."""
    first = play_all(store, edition)
    monkeypatch.setattr(intervals, "make_table", None)
    with open_store(store.path.parent, create=False) as again:
        monkeypatch.setattr(again.cache, "results", None)
        assert current_leaderboard(again.cache, edition.id) == first
    monkeypatch.undo()
    monkeypatch.setattr(intervals, "make_table", None)
    other = store.tournaments.create("cup", "f", "{}", finished.entrants(NAMES))
    add(store, other, 0, "oak elm", 2, 1)
    assert current_leaderboard(store.cache, edition.id).rows == first.rows


def test_a_table_of_an_earlier_arena_is_fitted_again(store: Store, edition: Edition) -> None:
    """One that lacks what an anchor needs is not used; all else that is kept stays bit by bit."""
    first = play_all(store, edition)
    store.tournaments.end(edition.id)
    parts: dict[str, Callable[[bytes], bytes]] = dict.fromkeys(
        ("standings", "meetings", "blocks", "table"), bytes
    )
    current_leaderboard(store.cache, edition.id)
    kept, mark = store.cache.kept(edition.id, None), store.cache.mark(edition.id)
    assert kept is not None
    assert mark is not None
    before = kept.read(**parts)
    assert before is not None
    old = json.loads(before[3])
    del old["least"]
    old["ratings"][0][1] += 9.0  # which would be seen
    store.cache.keep(edition.id, None, mark, {"table": json.dumps(old).encode()})
    assert current_leaderboard(store.cache, edition.id).rows == first.rows
    again = store.cache.kept(edition.id, None)
    assert again is not None
    assert again.read(**parts) == before


def test_an_anchor_and_why_it_is_none(store: Store, edition: Edition) -> None:
    """A bot that is out, or that nobody beat, fixes nothing, and the table says so."""
    for number, match in enumerate(MATCHES[2:]):
        add(store, edition, number, *match)

    def board(name: str) -> Leaderboard:
        return current_leaderboard(store.cache, edition.id, anchor=(name, 1000.0))

    usual = current_leaderboard(store.cache, edition.id)
    assert not usual.no_zero
    found = board("elm@1")
    (elm,) = [row for row in found.rows if row.bot == "elm"]
    assert (elm.score, elm.low, elm.high) == (1000.0, 1000.0, 1000.0)
    assert found.anchor is not None
    assert found.anchor.refused == ""
    assert "elm@1 is the anchor" in leaderboard_text(found)
    refused = board("oak")  # which won all its matches
    assert refused.rows == usual.rows
    assert "oak is no anchor here: points did not go both ways" in leaderboard_text(refused)
    store.tournaments.suspend(edition.id, {"elm": "start"})
    assert "elm is no anchor here: it is suspended: start" in leaderboard_text(board("elm"))
    # now oak won all there is
    assert board("elm").no_zero
    assert "no zero yet: nobody has both won and lost" in leaderboard_text(board("elm"))


def test_chance_is_seen_in_any_order(tmp_path: Path) -> None:
    """Whenever the match that shows chance comes in, and however often one looks: one table."""
    matches = [(("oak elm", "elm oak")[n % 2], 1 + n % 2, 2 - n % 2) for n in range(10)]
    boards = set()
    for turn, order in enumerate(
        ([*range(10)], [*range(9, -1, -1)], [4, 5, 9, 8, 0, 1, 7, 6, 3, 2])
    ):
        for often in (False, True):
            with open_store(tmp_path / f"{turn}{often}", create=True) as store:
                edition = store.tournaments.create("open", "f", "{}", finished.entrants(NAMES))
                for number in order:
                    names, *ranks = matches[number]
                    other = {"ms": [[1.0], [1.0]]} if number == 5 else {}
                    add(store, edition, number, names, *ranks, play="x", **other)
                    if often:
                        current_leaderboard(store.cache, edition.id)
                board = current_leaderboard(store.cache, edition.id)
                boards.add((board.weightless, board.same_deal, str(board.rows)))
    ((weightless, same_deal, _),) = boards
    assert (weightless, same_deal) == (0, 10)


def test_seats_and_late_answers(store: Store, edition: Edition) -> None:
    """If asked for, rows say how a bot did from each seat and how often it was late."""
    play_all(store, edition)
    late = {(edition.id, 0): [(2, 1), (0, 0)], (edition.id, 3): [(0, 0), (1, 3)]}
    board = current_leaderboard(store.cache, edition.id, seats=True, late=late)
    rows = {row.bot: row for row in board.rows}
    assert rows["oak"].seats == ((0, 2, 0, 0), (1, 1, 0, 1))
    assert {row.bot: row.late for row in board.rows} == {"oak": 3, "elm": 0, "fir": 0}
    assert {row.bot: row.tries for row in board.rows} == {"oak": 4, "elm": 0, "fir": 0}
    assert current_leaderboard(store.cache, edition.id).rows[0].late is None


def test_a_table_of_some_matches(store: Store, edition: Edition) -> None:
    """Selected matches are rated as if there were no others; nothing of it is kept."""
    whole = play_all(store, edition)
    some = store.cache.some(fits=lambda row: row.number < 3)
    board = current_leaderboard(some, edition.id)
    assert {row.bot: (row.games, row.score) for row in board.rows} == {
        "oak": (3, 1500.0),
        "elm": (2, 1500.0),
        "fir": (1, 1500.0),
    }
    of_two = store.cache.some(bots=["elm", "fir"])
    board = current_leaderboard(of_two, edition.id)
    assert {row.bot: row.games for row in board.rows} == {"elm": 2, "fir": 2}
    assert current_leaderboard(store.cache, edition.id) == whole


def test_some_tournaments_together(store: Store, edition: Edition) -> None:
    """Of three tournaments two are merged: one bot in both is one row."""
    play_all(store, edition)
    for name in ("cup", "league"):
        other = store.tournaments.create(name, "f", "{}", finished.entrants(["oak", "elm"]))
        add(store, other, 0, "oak elm", 2, 1)
        add(store, other, 1, "elm oak", 1, 2)
    board = current_leaderboard(store.cache.some(tournaments={1, 2}))
    assert {row.bot: row.games for row in board.rows} == {"oak": 6, "elm": 6, "fir": 4}
    assert {row.bot: row.games for row in current_leaderboard(store.cache).rows}["oak"] == 8
    add(store, edition, 6, "oak elm", 1, 2, game="treeblox")
    one_game = current_leaderboard(store.cache, game="treeblox")
    assert {row.bot: row.games for row in one_game.rows} == {"oak": 1, "elm": 1}


def test_a_leaderboard_by_the_package(store: Store, edition: Edition) -> None:
    """Rows have the ratings of the package, folded match by match in schedule order."""
    matches = [("oak elm", 1, 2), ("elm fir", 1, 1), ("fir oak", 1, 2), ("oak fir", 2, 1)]
    for number in (2, 0, 3, 1):
        add(store, edition, number, *matches[number])
    ratings = {name: Rating() for name in NAMES}
    for names, *ranks in matches:
        pair = names.split()
        ratings.update(zip(pair, rate([ratings[name] for name in pair], ranks), strict=True))
    board = current_leaderboard(store.cache, edition.id, label="open", rating="trueskill")
    assert board.tournament == "open"
    assert {row.bot for row in board.rows} == set(NAMES)
    for row in board.rows:
        expected = ratings[row.bot]
        assert (row.mu, row.sigma) == pytest.approx((expected.mu, expected.sigma), abs=1e-6)
        assert row.score == pytest.approx(expected.mu - 3 * expected.sigma, abs=2e-6)
        assert (row.rating, row.version) == ("trueskill", 1)
    assert [row.score or 0.0 for row in board.rows] == sorted(
        (row.score or 0.0 for row in board.rows), reverse=True
    )


def test_a_stop_changes_the_board(store: Store, edition: Edition) -> None:
    """Matches past an early stop leave the table, and come back."""
    for number in range(3):
        add(store, edition, number, "oak elm", 1, 2)
    assert current_leaderboard(store.cache, edition.id).rows[0].games == 3
    store.tournaments.stop(edition.id, 1)
    assert current_leaderboard(store.cache, edition.id).rows[0].games == 1
    store.tournaments.stop(edition.id, None)
    assert current_leaderboard(store.cache, edition.id).rows[0].games == 3


def test_results_that_are_not_as_expected(store: Store, edition: Edition) -> None:
    """Of three bots each beats the next in 20 of 22 blocks: found, and found again in what is kept.

    As many copies are no such result. By symmetry a half of the points are expected.
    """
    circle = ("oak elm", "elm fir", "fir oak")

    def play_more(begin: int, *, copies: bool) -> tuple[Unexpected, ...]:
        for number in range(120):
            pair, lost = circle[number // 40], number % 40 < 2
            play = f"{pair} {lost}" if copies else ""
            add(store, edition, begin + number, pair, 1 + lost, 2 - lost, play=play)
        return current(store.cache, edition.id).table.unexpected

    assert play_more(0, copies=True) == ()
    found = play_more(120, copies=False)
    pairs = [pair.split() for pair in circle]
    assert set(found) == {Unexpected(one, other, 40.0, 44, 22.0) for one, other in pairs}
    assert current(store.cache, edition.id).table.unexpected == found


@pytest.mark.parametrize("read", [read_leaderboard, read_crosstable])
def test_a_look_at_a_ladder_fits_once(
    read: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who only reads keeps what it folded in memory: the next look, with no news, fits nothing."""
    filled_home(tmp_path, ended=False)
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.find("open")
        store.tournaments.write_again(edition.id, edition.config.replace("round-robin", "ladder"))
        store.rounds.go_on(edition.id, "", Plan(1, (0,), (Meeting(("oak", "elm")),)).to_text())
    fits: list[object] = []
    make = intervals.make_table

    def fitting(counts: Any) -> Any:
        fits.append(counts)
        return make(counts)

    monkeypatch.setattr(intervals, "make_table", fitting)
    monkeypatch.setattr("arena.database.access._only_read", True)
    first = read(tmp_path)
    assert len(fits) == 1
    assert read(tmp_path) == first
    assert len(fits) == 1
    monkeypatch.setattr("arena.database.access._only_read", False)
    with open_store(tmp_path, create=True) as store:
        store.matches.add(1, finished.match(100, ["oak", "elm"], [2, 1]))
        assert store.cache._database.row("SELECT count(*) FROM cache") == (0,)
    monkeypatch.setattr("arena.database.access._only_read", True)
    assert read(tmp_path) != first
    assert len(fits) == 2
