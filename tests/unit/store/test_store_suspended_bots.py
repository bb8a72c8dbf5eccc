"""Bots that are out in the store, suspended or taken out: left out of tables, matches kept."""

from __future__ import annotations

from support import finished

from arena.ratings.fold import fold
from arena.results.board import crosstable_of, current
from arena.results.standings import board_of
from arena.store import Edition, Store
from arena.values.tables import OutRow

PAIRS = [("oak", "elm"), ("elm", "fir"), ("fir", "oak")]


def play(store: Store, edition: Edition, *numbers: int) -> None:
    """Play matches: 0, 3, 6 … are of oak and elm, 1, 4, 7 … of elm and fir, the others of both."""
    for number in numbers:
        finished.add(store, edition.id, finished.match(number, PAIRS[number % 3], [1, 2]))


def test_matches_of_suspended_bot_count_for_nobody(store: Store, edition: Edition) -> None:
    """Matches of a suspended bot count neither for it nor its opponents; all stay, marked."""
    play(store, edition, *range(6))
    texts = list(store.matches.texts(edition.id))
    store.tournaments.suspend(edition.id, {"elm": "3 faults"})
    board = board_of(store, edition.label)
    assert {row.bot: row.games for row in board.rows} == {"oak": 2, "fir": 2}
    assert board.out == (OutRow("elm", 1, "is suspended: 3 faults"),)
    now = current(store.cache, edition.id, meetings=True)
    cross = crosstable_of(now, store.cache.entrants(edition.id))
    assert cross.bots in (("oak", "fir"), ("fir", "oak"))
    listed = list(store.matches.read(edition.id))
    assert [row.counted for row in listed] == [False, False, True] * 2
    assert list(store.matches.texts(edition.id)) == [texts[2], texts[5]]
    assert list(store.matches.texts(edition.id, counted=False)) == texts
    store.tournaments.suspend(edition.id, {})
    store.tournaments.take_out(edition.id, {"oak"})
    board = board_of(store, edition.label)
    assert {row.bot: row.games for row in board.rows} == {"elm": 2, "fir": 2}
    assert board.out == (OutRow("oak", 1, "was taken out by the organiser"),)
    store.tournaments.take_out(edition.id, ())
    board = board_of(store, edition.label)
    assert [row.games for row in board.rows] == [4, 4, 4]
    assert board.out == ()


def test_late_match_of_suspended_bot_is_in_no_table(store: Store, edition: Edition) -> None:
    """A late match of a suspended bot is stored, and changes no table."""
    store.tournaments.take_out(edition.id, {"elm"})
    play(store, edition, 2, 5)
    before = board_of(store, edition.label)
    play(store, edition, 4)
    assert board_of(store, edition.label) == before
    play(store, edition, 8)
    at_once = fold(store.cache.results(edition.id))
    assert current(store.cache, edition.id).standings == at_once
