"""Whatever order matches come in, and whenever somebody looks, the store says the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import finished

from arena.ratings.fold import fold
from arena.record.record import parse_record
from arena.results.board import current
from arena.results.standings import board_of
from arena.store import open_store
from arena.values.model import MatchResult

NAMES = ("oak", "elm", "fir", "yew")


@st.composite
def schedules(draw: st.DrawFn) -> list[MatchResult]:
    found = []
    for number in range(draw(st.integers(1, 9))):
        count = draw(st.sampled_from([2, 2, 3]))
        names = draw(st.permutations(NAMES))[:count]
        ranks = draw(st.lists(st.integers(1, count), min_size=count, max_size=count))
        game = draw(st.sampled_from(["leaves", "treeblox"]))
        ms = [[draw(st.integers(0, 5)) / 4] for _ in names]
        found.append(finished.match(number, names, ranks, game=game, ms=ms))
    return found


@pytest.mark.slow
@given(schedules(), st.data())
def test_order_and_looks_change_nothing(schedule: list[MatchResult], data: st.DataObject) -> None:
    """With deliveries shuffled and repeated, and looks in between, the end is always the same."""
    deliveries = data.draw(st.permutations(schedule))
    deliveries += data.draw(st.lists(st.sampled_from(schedule), max_size=3))
    looks = data.draw(st.lists(st.integers(0, len(deliveries)), max_size=4))
    game = data.draw(st.sampled_from([None, "leaves"]))
    with tempfile.TemporaryDirectory() as home, open_store(Path(home), create=True) as store:
        edition = store.tournaments.create("open", "f", {}, finished.entrants(NAMES))
        arrived: set[int] = set()
        for step, result in enumerate(deliveries):
            assert finished.add(store, edition.id, result) == (result.number not in arrived)
            arrived.add(result.number)
            if step in looks:
                board_of(store, "open", game=game)
                board_of(store, None, merged=True, game=game)
                current(store.cache, edition.id, game, meetings=True)
        settled = store.matches.settled(edition.id)
        assert [n for n in range(len(schedule)) if n in settled] == sorted(arrived)
        assert [parse_record(text) for text in store.matches.texts()] == [
            result.record for result in schedule
        ]
        at_once = fold(store.cache.results(edition.id, game))
        # to the last bit, and in the order that names were first met in
        assert current(store.cache, edition.id, game).standings == at_once
        merged = current(store.cache, None, game).standings
        assert [standing.mu for standing in merged.values()] == [
            standing.mu for standing in at_once.values()
        ]
