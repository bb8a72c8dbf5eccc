"""Who is suspended, and which matches count, whatever order matches end in.

The runner is the real one, with a real store; only the workers are not. They know beforehand how
every match would end, and give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import finished
from support.fake_workers import Killed, lost, played, workers_of

from arena.match.record import parse_record
from arena.ratings.fold import fold
from arena.results.board import current
from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.schedule.blocks import Blocks
from arena.schedule.round_robin import schedule
from arena.schedule.seeds import match_id
from arena.store import open_store
from arena.values.model import BotEntry, MatchJob, Tournament
from arena.workers.local import Lost, Played

NAMES = ("ash", "elm", "fir", "oak", "yew")


@dataclass
class Fates:
    """How every match ends, by its id: who fails to start, and how often it is void before."""

    failed: dict[str, tuple[int, ...]]
    voids: dict[str, int]
    rng: Random
    kill_after: int = 10**9  # so many results
    started: list[str] = field(default_factory=list)

    def play(self, job: MatchJob) -> Played | Lost:
        if self.voids.get(job.id, 0) > 0:
            self.voids[job.id] -= 1
            return lost(job)
        failed = self.failed.get(job.id, ())
        return played(finished.of_job(job, failed))


def schedule_of(tournament: Tournament) -> Blocks:
    return schedule(tournament, tuple(entry.name for entry in tournament.bots))


class Expected(NamedTuple):
    """The ids of the matches that count, and who is suspended; what stays undecided."""

    counted: list[str]
    suspended: set[str]
    undecided: set[str]


def expected(
    tournament: Tournament, fates: Fates, undecided: set[str], without: set[str]
) -> Expected:
    """Return what must be in the end, by the rule's own words."""
    histories: dict[str, list[bool]] = {bot.name: [] for bot in tournament.bots}
    suspended: set[str] = set()
    open_: set[str] = set()
    for match in schedule_of(tournament):
        name = match_id(tournament.name, match.block, match.seating)
        if not (without | suspended).isdisjoint(match.seats):
            continue
        if name in undecided:
            open_.add(name)
            continue
        failed = fates.failed.get(name, ())
        for seat, bot in enumerate(match.seats):
            histories[bot].append(seat in failed)
            last = histories[bot][-tournament.max_faults :]
            if len(last) == tournament.max_faults and all(last):
                suspended.add(bot)
    names = [
        match_id(tournament.name, match.block, match.seating)
        for match in schedule_of(tournament)
        if (without | suspended).isdisjoint(match.seats)
    ]
    return Expected([name for name in names if name not in undecided], suspended, open_)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    game = draw(st.sampled_from(["leaves", "leaves", "the_tree(players=3)"]))
    names = NAMES[: draw(st.integers(3, 5))]
    return Tournament(
        name="open",
        games=(game,),
        bots=tuple(BotEntry(name, ref="random") for name in names),
        rounds=draw(st.integers(1, 3)),
        seed=2026,
        max_faults=draw(st.integers(1, 3)),
        workers=draw(st.integers(1, 4)),
    )


@st.composite
def fates(draw: st.DrawFn, tournament: Tournament) -> Fates:
    """Draw for each entrant how reliable it is, and for each match what happens in it."""
    rng = Random(draw(st.integers(0, 2**32)))
    flaws = {name: draw(st.sampled_from([0.0, 0.1, 0.5, 0.8, 1.0])) for name in NAMES}
    lossy = draw(st.sampled_from([0.0, 0.0, 0.2]))
    failed, voids = {}, {}
    for match in schedule_of(tournament):
        name = match_id(tournament.name, match.block, match.seating)
        seats = [seat for seat, bot in enumerate(match.seats) if rng.random() < flaws[bot]]
        failed[name] = tuple(seats)
        if rng.random() < lossy:
            voids[name] = rng.choice([1, 2, 3, 4, 10**6])  # the last: always
    return Fates(failed, voids, rng)


def play_to_the_end(
    tournament: Tournament,
    home: Path,
    fate: Fates,
    kills: list[int],
    extend: bool = False,
    sayings: list[tuple[set[str], set[str]]] | None = None,
) -> runner.Summary:
    """Run until it ends, killed after so many results each, and until only what must is undecided.

    Each time somebody may be taken out or put back in: ``sayings``, the last one for the last run.
    After an end, what is undecided is tried again until it is decided, if it ever can be. Now and
    then somebody looks at the leaderboard meanwhile.
    """
    said = [*(sayings or [])]
    said = [(set(), set())] * (len(kills) + 1 - len(said)) + said

    def look_sometimes(_: runner.Progress) -> None:
        if fate.rng.random() < 0.05:
            read_leaderboard(home)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Workers", workers_of(fate, lambda job: fate.started.append(job.id)))
        for kill, (without, back) in zip([*kills, 10**9], said, strict=True):
            fate.kill_after = kill
            gone = (set(tournament.without) | without) - back
            tournament = replace(tournament, without=tuple(sorted(gone)))
            try:
                summary = runner.run_tournament(
                    tournament, home, extend=extend, tell=look_sometimes
                )
            except Killed:
                continue
        while any(fate.voids.get(name, 0) < 10**5 for name in summary.undecided):
            summary = runner.run_tournament(tournament, home, tell=look_sometimes)
    return summary


def counted(home: Path) -> list[str]:
    with open_store(home, create=False) as store:
        return [parse_record(text).id for text in store.matches.texts()]


def out(home: Path) -> set[str]:
    return {row.bot for row in read_leaderboard(home).out}


@pytest.mark.slow
@given(st.data())
def test_the_end_is_the_rule(data: st.DataObject) -> None:
    """Any order, any number of workers, lost matches and kills: the end is what the rule says."""
    tournament = data.draw(tournaments())
    fate = data.draw(fates(tournament))
    kills = data.draw(st.lists(st.integers(0, 12), max_size=3))
    names = st.sampled_from([bot.name for bot in tournament.bots])
    sayings = []
    without: set[str] = set()
    for _ in range(data.draw(st.integers(0, len(kills) + 1))):
        taken = data.draw(st.sets(names, max_size=2))
        back = data.draw(st.sets(names, max_size=2)) - taken
        sayings.append((taken, back))
        without = (without | taken) - back
    for_ever = {name for name, count in fate.voids.items() if count > 10**5}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        summary = play_to_the_end(tournament, home, fate, kills, sayings=sayings)
        want, suspended, undecided = expected(tournament, fate, for_ever, without)
        assert counted(home) == want
        assert set(summary.suspended) == suspended
        assert out(home) == suspended | without
        assert set(summary.undecided) == undecided
        board = read_leaderboard(home)
        assert {row.bot for row in board.rows} == {b.name for b in tournament.bots} - out(home)
        faults = sum(len(fate.failed[name]) for name in want)
        assert sum(row.faults.get("startup", 0) for row in board.rows) == faults
        with open_store(home, create=False) as store:
            texts = list(store.matches.texts(counted=False))
            listed = list(store.matches.list())
        assert [row.id for row in listed if row.counted] == want
        # once more: nothing is left to be played that counts, and no table changes
        again = replace(fate, started=[])
        tournament = replace(tournament, without=tuple(sorted(without)))
        assert play_to_the_end(tournament, home, again, []).suspended == summary.suspended
        assert undecided or not again.started
        with open_store(home, create=False) as store:
            stored = list(store.matches.texts(counted=False))
        assert set(stored) >= set(texts), "what is stored stays"
        assert stored == texts or undecided, "only a void match can hold a suspension back"
        assert read_leaderboard(home) == board
        # what was kept of tables along the way holds no match that does not count
        with open_store(home, create=False) as store:
            edition = store.tournaments.find("open").id
            at_once = fold(store.folds.results(edition))
            assert current(store.folds, edition).standings == at_once


def test_suspended_bots_are_not_started() -> None:
    """With one worker a bot that never starts is started hardly more than ``max_faults`` times."""
    tournament = Tournament(
        name="open",
        games=("leaves",),
        bots=tuple(BotEntry(name, ref="random") for name in NAMES[:3]),
        rounds=50,
    )
    failed: dict[str, tuple[int, ...]] = {
        match_id("open", match.block, match.seating): (match.seats.index("ash"),)
        for match in schedule_of(tournament)
        if "ash" in match.seats
    }
    fate = Fates(failed, {}, Random(1))
    with tempfile.TemporaryDirectory() as folder:
        play_to_the_end(tournament, Path(folder), fate, [])
        # three faults, and what was on its way to the worker by then
        assert 3 <= len(set(fate.started) & set(failed)) <= 5
        assert counted(Path(folder)) == expected(tournament, fate, set(), set()).counted
