"""Where a comparison stops and what it says, whatever order its matches end in.

The runner is the real one, with a real store; only the workers are not. They know beforehand how
every match would end, give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import finished
from support.fake_workers import Killed, lost, played, workers_of

from arena.run import runner
from arena.schedule import round_robin
from arena.schedule.seeds import match_id
from arena.stats.scores import match_score
from arena.stats.sprt import Sprt
from arena.stats.strength import BlockMatch, Comparison
from arena.stats.weights import play_number, seated
from arena.store import open_store
from arena.studies.comparison import Compared, read_comparison
from arena.values.model import BotEntry, Decision, Match, MatchJob, MatchResult, Stop, Tournament
from arena.workers.local import Lost, Played

ALWAYS = 10**6  # void so often: forever


@dataclass
class Fates:
    """How every match ends, by its id: ranks and what was played; how often it is void before."""

    ranks: dict[str, tuple[int, ...]]
    actions: dict[str, str]
    voids: dict[str, int]
    rng: Random
    kill_after: int = 10**9  # so many results

    def play(self, job: MatchJob) -> Played | Lost:
        if self.voids.get(job.id, 0) > 0:
            self.voids[job.id] -= 1
            return lost(job)
        record = replace(
            finished.of_job(job).record,
            ranks=self.ranks[job.id],
            actions=((0, self.actions[job.id]),),
            decisions=(Decision(),),
        )
        return played(MatchResult(job.number, record))


def schedule_of(tournament: Tournament) -> list[Match]:
    return list(round_robin.schedule(tournament, tuple(bot.name for bot in tournament.bots)))


def name_of(tournament: Tournament, match: Match) -> str:
    return match_id(tournament.name, match.block, match.seating)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    game, names = draw(
        st.sampled_from(
            [("leaves", ("oak", "elm")), ("the_tree(players=3)", ("oak", "elm", "elm#2"))]
        )
    )
    # by chances so unequal that few blocks decide
    sprt = draw(st.sampled_from([None, (0.0, 300.0, 0.2, 0.2), (-50.0, 200.0, 0.1, 0.3)]))
    return Tournament(
        name="duel",
        games=(game,),
        bots=tuple(BotEntry(name, ref="random") for name in names),
        format="compare" if sprt is None else draw(st.sampled_from(["compare", "round-robin"])),
        rounds=draw(st.integers(1, 12)),
        seed=2026,
        workers=draw(st.integers(1, 4)),
        stop=Stop(sprt=sprt),
    )


@st.composite
def fates(draw: st.DrawFn, tournament: Tournament) -> Fates:
    rng = Random(draw(st.integers(0, 2**32)))
    favoured = draw(st.sampled_from([0.5, 0.9, 1.0]))
    lossy = draw(st.sampled_from([0.0, 0.0, 0.2]))
    repeats = draw(st.sampled_from([0.0, 0.9, 1.0]))
    ranks, actions, voids = {}, {}, {}
    for match in schedule_of(tournament):
        name = name_of(tournament, match)
        places = rng.sample(range(1, len(match.seats) + 1), len(match.seats))
        seat = match.seats.index("oak")
        if rng.random() < favoured:
            best = places.index(1)
            places[seat], places[best] = places[best], places[seat]
        ranks[name] = tuple(places)
        actions[name] = "same" if rng.random() < repeats else name
        if rng.random() < lossy:
            voids[name] = rng.choice([1, 2, ALWAYS])
    return Fates(ranks, actions, voids, rng)


def expected(tournament: Tournament, fate: Fates) -> tuple[Comparison, int | None]:
    """Return what the whole schedule says, block by block, and where it stops."""
    players = len(tournament.bots)
    sprt = tournament.stop.sprt
    comparison = Comparison(players, None if sprt is None else Sprt(*sprt))
    schedule = schedule_of(tournament)
    for start in range(0, len(schedule), players):
        block = []
        for match in schedule[start : start + players]:
            name = name_of(tournament, match)
            if fate.voids.get(name, 0) < ALWAYS:
                bots = tuple(seat.partition("#")[0] for seat in match.seats)  # of copies, one
                play = play_number("the one deal that is played", fate.actions[name])
                score = match_score(fate.ranks[name], match.seats.index("oak"))
                block.append(BlockMatch(score, play, seated(bots)))
        if len(block) == players:
            comparison.add(block)
            if comparison.reason:
                return comparison, start + players
    return comparison, None


def run(tournament: Tournament, home: Path, fate: Fates, kills: list[int]) -> Compared:
    """Run to the end, killed after so many results each, and twice more."""
    compared: Compared | None = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Workers", workers_of(fate))
        for kill in [*kills, 10**9, 10**9]:
            fate.kill_after = kill
            try:
                runner.run_tournament(tournament, home)
            except Killed:
                continue
            compared = read_comparison(home, tournament.name)
    assert compared is not None
    return compared


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_order_and_kills_change_nothing(data: st.DataObject) -> None:
    """Any number of workers, any order and any kills: the same stop, and the same answer."""
    tournament = data.draw(tournaments())
    fate = data.draw(fates(tournament))
    kills = data.draw(st.lists(st.integers(0, 12), max_size=2))
    comparison, stop = expected(tournament, fate)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        compared = run(tournament, home, fate, kills)
        assert compared.answer == comparison.answer()
        with open_store(home, create=False) as store:
            edition = store.tournaments.find(tournament.name)
            assert edition.stop == stop
            rows = list(store.matches.list(edition.id))
            assert [row.counted for row in rows] == [
                stop is None or row.number < stop for row in rows
            ]


@pytest.mark.parametrize("stop", [Stop(), Stop(sprt=(0.0, 20.0, 0.05, 0.05))])
def test_bots_that_play_alike_every_time_are_not_asked_for_ever(stop: Stop, tmp_path: Path) -> None:
    """One block is new; after 200 that are not there is no answer, however many were asked for."""
    tournament = Tournament(
        name="duel",
        games=("leaves",),
        bots=tuple(BotEntry(name, ref="random") for name in ("oak", "elm")),
        format="compare",
        rounds=100_000,
        seed=2026,
        workers=2,
        stop=stop,
    )
    alike = Fates(_OakWins(), _Same(), {}, Random(1))
    compared = run(tournament, tmp_path, alike, [])
    assert (compared.verdict, compared.answer.reason) == ("inconclusive", "repeats")
    assert (compared.answer.blocks, compared.answer.matches) == (1, 402)
    assert compared.answer.repeats == 400
    assert "no new match" in compared.sentence
    with open_store(tmp_path, create=False) as store:
        assert store.tournaments.find("duel").stop == 402


class _Same(dict[str, str]):
    def __missing__(self, match: str) -> str:
        return "same"


class _OakWins(dict[str, tuple[int, ...]]):
    def __missing__(self, match: str) -> tuple[int, ...]:
        return (1, 2)


def test_nobody_is_compared_who_is_out(tmp_path: Path) -> None:
    """Without one of the two nothing counts, and nothing is known."""
    tournament = Tournament(
        name="duel",
        games=("leaves",),
        bots=tuple(BotEntry(name, ref="random") for name in ("oak", "elm")),
        format="compare",
        rounds=6,
        seed=2026,
    )
    fate = Fates(_OakWins(), {}, {}, Random(1))
    fate.actions = {name_of(tournament, match): str(match) for match in schedule_of(tournament)}
    assert run(tournament, tmp_path, fate, []).answer.blocks == 6
    runner.run_tournament(replace(tournament, without=("elm",)), tmp_path)
    compared = read_comparison(tmp_path, "duel")
    assert compared is not None
    assert (compared.verdict, compared.answer.blocks) == ("inconclusive", 0)
    assert "elm is taken out" in compared.sentence
