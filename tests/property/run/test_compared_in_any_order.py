"""Where a comparison stops and what it says, whatever order its matches end in.

The runner is the real one, with a real store; only the workers are not. They know beforehand how
every match would end, give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drawn_runs import DrawnFates, run

from arena.schedule import round_robin
from arena.schedule.seeds import match_id
from arena.stats.scores import match_score
from arena.stats.sprt import Sprt
from arena.stats.strength import BlockMatch, SequentialTest
from arena.stats.weights import moves_hash, seated
from arena.store import open_store
from arena.studies.comparison import Comparison, read_comparison
from arena.values.model import BotEntry, Stop, Tournament

pytestmark = pytest.mark.slow


def duel(*names: str, **more: object) -> Tournament:
    bots = tuple(BotEntry(name, ref="random") for name in names)
    made = Tournament("open", ("leaves",), bots, format="compare", seed=2026, workers=2)
    return replace(made, **more)  # type: ignore[arg-type]


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    strong = draw(st.sampled_from(["b2", "b4", "b9"]))
    game, names = draw(
        st.sampled_from(
            [("leaves", (strong, "b1")), ("the_tree(players=3)", (strong, "b1", "b1#2"))]
        )
    )
    # by chances so unequal that few blocks decide
    sprt = draw(st.sampled_from([None, (0.0, 300.0, 0.2, 0.2), (-50.0, 200.0, 0.1, 0.3)]))
    return duel(
        *names,
        games=(game,),
        format="compare" if sprt is None else draw(st.sampled_from(["compare", "round-robin"])),
        rounds=draw(st.integers(1, 12)),
        workers=draw(st.integers(1, 4)),
        stop=Stop(sprt=sprt),
    )


@st.composite
def fates(draw: st.DrawFn) -> DrawnFates:
    seed = draw(st.integers(0, 2**32))
    lossy = draw(st.sampled_from([0.0, 0.0, 0.2]))
    alike = draw(st.sampled_from([0.0, 0.9, 1.0]))
    even = draw(st.booleans())
    unable = draw(st.sampled_from([{}, {"b1": 0.6}, {"b1": 0.2, "b4": 1.0}]))
    fate = DrawnFates(Random(seed), seed=seed, lossy=lossy, alike=alike, even=even, unable=unable)
    return replace(fate, gone=lossy / 3, times=2)  # a third time would leave one undecided


def expected(tournament: Tournament, fate: DrawnFates) -> tuple[SequentialTest, int | None]:
    """Return what the whole schedule says, block by block, and where it stops."""
    names = tuple(bot.name for bot in tournament.bots)
    sprt = tournament.stop.sprt
    comparison = SequentialTest(len(names), None if sprt is None else Sprt(*sprt))
    schedule = list(round_robin.schedule(tournament, names))
    for start in range(0, len(schedule), len(names)):
        block = []
        for match in schedule[start : start + len(names)]:
            name = match_id(tournament.name, match.block, match.seating)
            if not fate.is_gone(name):
                bots = tuple(seat.partition("#")[0] for seat in match.seats)  # of copies, one
                play = moves_hash("the one deal that is played", fate.action(name))
                ranks = fate.ranks(name, match.seats)
                score = match_score(ranks, match.seats.index(names[0]))
                block.append(BlockMatch(score, play, seated(bots)))
        if len(block) == len(names):
            comparison.add(block)
            if comparison.reason:
                return comparison, start + len(names)
    return comparison, None


def compare(tournament: Tournament, home: Path, fate: DrawnFates, kills: list[int]) -> Comparison:
    """Run to the end, and twice more."""
    for each in (kills, [], []):
        run(tournament, home, fate, each)
    compared = read_comparison(home, tournament.name)
    assert compared is not None
    return compared


@settings(max_examples=8, deadline=None)
@given(tournaments(), fates(), st.lists(st.integers(0, 12), max_size=2))
def test_order_and_kills_change_nothing(
    tournament: Tournament, fate: DrawnFates, kills: list[int]
) -> None:
    """Any number of workers, any order and any kills: the same stop, and the same answer."""
    comparison, stop = expected(tournament, fate)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        compared = compare(tournament, home, fate, kills)
        assert compared.answer == comparison.answer()
        with open_store(home, create=False) as store:
            edition = store.tournaments.find(tournament.name)
            assert edition.stop == stop
            rows = list(store.matches.read(edition.id))
            assert [row.counted for row in rows] == [
                stop is None or row.number < stop for row in rows
            ]


@pytest.mark.parametrize("stop", [Stop(), Stop(sprt=(0.0, 20.0, 0.05, 0.05))])
def test_bots_that_play_alike_every_time_are_not_asked_for_ever(stop: Stop, tmp_path: Path) -> None:
    """One block is new; after 200 that are not there is no answer, however many were asked for."""
    tournament = duel("b9", "b1", rounds=100_000, stop=stop)
    compared = compare(tournament, tmp_path, DrawnFates(Random(1), alike=1.0), [])
    assert (compared.verdict, compared.answer.reason) == ("inconclusive", "repeats")
    assert (compared.answer.blocks, compared.answer.matches) == (1, 402)
    assert compared.answer.repeats == 400
    assert "no new match" in compared.sentence
    assert "W–D–L 2–0–0" in compared.numbers or "W–D–L 0–0–2" in compared.numbers
    with open_store(tmp_path, create=False) as store:
        assert store.tournaments.find(tournament.name).stop == 402


def test_nobody_is_compared_who_is_out(tmp_path: Path) -> None:
    """Without one of the two nothing counts, and nothing is known."""
    tournament, fate = duel("b9", "b1", rounds=6), DrawnFates(Random(1))
    assert compare(tournament, tmp_path, fate, []).answer.blocks == 6
    compared = compare(replace(tournament, without=("b1",)), tmp_path, fate, [])
    assert (compared.verdict, compared.answer.blocks) == ("inconclusive", 0)
    assert "b1 was taken out" in compared.sentence
