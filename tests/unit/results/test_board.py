"""Leaderboards of a real store: the same however results came, kept, and never wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.reported import filled_home

from arena.ratings import likelihoods as intervals
from arena.report.leaderboard_text import leaderboard_text
from arena.results.board import current
from arena.results.standings import board_of, read_crosstable, read_leaderboard
from arena.schedule.plan import Meeting, Plan
from arena.store import Edition, Store, open_store
from arena.values.tables import Leaderboard, Unexpected


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
    finished.add(store, edition.id, result)


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
    return board_of(store, edition.label)


def test_a_kept_table_that_lacks_something_is_not_used(store: Store, edition: Edition) -> None:
    """One of another arena is fitted again."""
    first = play_all(store, edition)
    store.tournaments.end(edition.id)
    board_of(store, edition.label)
    kept, mark = store.cache.kept(edition.id, None), store.cache.mark(edition.id)
    assert kept is not None
    assert mark is not None
    found = kept.read(table=json.loads)
    assert found is not None
    (old,) = found
    del old[1][-1]
    old[0]["oak"][0] += 9.0  # which would be seen
    store.cache.keep(edition.id, None, mark, {"table": json.dumps(old).encode()})
    assert board_of(store, edition.label).rows == first.rows


def test_an_anchor_and_why_it_is_none(store: Store, edition: Edition) -> None:
    """A bot that is out, or that nobody beat, fixes nothing, and the table says so."""
    for number, match in enumerate(MATCHES[2:]):
        add(store, edition, number, *match)

    def board(name: str) -> Leaderboard:
        return board_of(store, edition.label, anchor={name: 1000.0})

    usual = board_of(store, edition.label)
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


def test_a_table_of_some_matches(store: Store, edition: Edition) -> None:
    """Selected matches are rated as if there were no others; nothing of it is kept."""
    whole = play_all(store, edition)
    board = board_of(store, edition.label, matches=[f"{edition.id}-{n}" for n in range(3)])
    assert {row.bot: (row.games, row.score) for row in board.rows} == {
        "oak": (3, 1500.0),
        "elm": (2, 1500.0),
        "fir": (1, 1500.0),
    }
    board = board_of(store, edition.label, bots=["elm", "fir"])
    assert {row.bot: row.games for row in board.rows} == {"elm": 2, "fir": 2}
    assert board_of(store, edition.label) == whole


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
        store.tournaments.write_again(edition.id, {**edition.config, "format": "ladder"})
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
        finished.add(store, 1, finished.match(100, ["oak", "elm"], [2, 1]))
        assert store.cache._database.row("SELECT count(*) FROM cache") == (0,)
    monkeypatch.setattr("arena.database.access._only_read", True)
    assert read(tmp_path) != first
    assert len(fits) == 2
