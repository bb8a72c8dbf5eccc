"""Swiss tournaments and knockouts, run by the real runner, whatever order matches end in.

The store is a real one, too; only the workers are not. They know beforehand how every match would
end, give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import finished
from support.fake_workers import Killed, drawn, lost, played, workers_of

from arena import runner
from arena.model import BotEntry, Decision, Fault, MatchJob, MatchResult, Tournament
from arena.model import Termination as By
from arena.schedule.plan import Plan
from arena.standings import read_bracket, read_leaderboard
from arena.store import open_store
from arena.store.rounds import StoredRound
from arena.tables import Leaderboard
from arena.workers.local import Lost, Played


@dataclass
class Fates:
    """How matches end: drawn from ``seed`` and the match's id, in any order they are played."""

    seed: int
    rng: Random
    flaw: float = 0.0  # how often b0 and b1 fail to start
    lossy: float = 0.0
    kill_after: int = 10**9  # so many results
    voids: dict[str, int] = field(default_factory=dict)

    def play(self, job: MatchJob) -> Played | Lost:
        if job.id not in self.voids:
            is_lost = drawn(self.seed, job.id, "void") < self.lossy
            self.voids[job.id] = 1 + int(4 * drawn(self.seed, job.id, "voids")) if is_lost else 0
        if self.voids[job.id]:
            self.voids[job.id] -= 1
            return lost(job)
        seats = [seat.entrant for seat in job.seats]
        failed = tuple(
            seat
            for seat, name in enumerate(seats)
            if name in ("b0", "b1") and drawn(self.seed, job.id, name) < self.flaw
        )
        ends = [(1, 2), (2, 1), (1, 1)]
        ranks = (2, 2) if len(failed) == 2 else ends[int(3 * drawn(self.seed, job.id, "ends"))]
        if len(failed) == 1:
            ranks = (2, 1) if failed == (0,) else (1, 2)
        record = finished.record(
            job.number,
            seats,
            ranks,
            game=job.game,
            id=job.id,
            tournament=job.tournament,
            block=job.block,
            seating=job.seating,
        )
        if failed:
            record = replace(
                record,
                actions=tuple((seat, None) for seat in failed),
                decisions=tuple(Decision() for _ in failed),
                by=By.STARTUP,
                faults=tuple(Fault(seat, By.STARTUP, 0, "did not start") for seat in failed),
            )
        return played(MatchResult(job.number, record))


def stored(home: Path) -> list[StoredRound]:
    with open_store(home, create=False) as store:
        latest = store.tournaments.latest("open")
        return [] if latest is None else store.rounds.all(latest.id)


def run(
    tournament: Tournament,
    home: Path,
    fates: Fates,
    kills: list[int],
    people: Callable[[int], tuple[list[str], list[str]]] = lambda n: ([], []),
) -> runner.Summary:
    """Run to the end, killed after so many results each; what was planned must never change.

    ``people`` says for each run whom somebody takes out, and puts back in.
    """
    planned = [each.plan for each in stored(home)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Workers", workers_of(fates))
        for number, kill in enumerate([*kills, 10**9]):
            fates.kill_after = kill
            out, back = people(number)
            with contextlib.suppress(Killed):
                summary = runner.run_tournament(tournament, home, without=out, back=back)
            now = [each.plan for each in stored(home)]
            assert now[: len(planned)] == planned
            planned = now
            read_leaderboard(home)
    return summary


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    entrants = draw(st.integers(2, 7))
    return Tournament(
        name="open",
        games=draw(st.sampled_from([("leaves",), ("leaves", "treeblox")])),
        bots=tuple(BotEntry(f"b{n}", ref="random") for n in range(entrants)),
        format=(format_ := draw(st.sampled_from(["swiss", "knockout"]))),
        rounds=draw(st.integers(1, 4)) if format_ == "swiss" else 1,
        blocks=draw(st.integers(1, 2)),
        seed=2026,
        max_faults=draw(st.integers(1, 3)),
        workers=draw(st.integers(1, 4)),
    )


def end(home: Path) -> tuple[list[StoredRound], Leaderboard]:
    return stored(home), read_leaderboard(home)


@given(tournaments(), st.data())
@settings(max_examples=16, deadline=None)
def test_workers_order_and_kills_change_nothing(
    tournament: Tournament, data: st.DataObject
) -> None:
    """Killed in any round and gone on with, with any number of workers: same rounds, same table.

    Some entrants fail to start, until they are suspended.
    """
    seed = data.draw(st.integers(0, 2**32))
    flaw = data.draw(st.sampled_from([0.0, 0.4, 1.0]))
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        undisturbed = replace(tournament, workers=1)
        run(undisturbed, Path(one), Fates(seed, Random(0), flaw), [])
        run(tournament, Path(other), Fates(seed, Random(seed), flaw), kills)
        assert end(Path(other)) == end(Path(one))
        # once more: nothing is left to be played, and nothing changes
        again = run(tournament, Path(other), Fates(seed, Random(1), flaw), [])
        assert again.played == 0
        assert end(Path(other)) == end(Path(one))


@given(tournaments(), st.data())
@settings(max_examples=8, deadline=None)
def test_what_was_planned_survives_everything(tournament: Tournament, data: st.DataObject) -> None:
    """Void matches, kills, and people who take bots out and put them back: rounds stay planned.

    ``run`` holds every round against what it was; in the end nobody was in a round twice.
    """
    rng = Random(data.draw(st.integers(0, 2**32)))
    names = [bot.name for bot in tournament.bots]
    out: set[str] = set()

    def people(_: int) -> tuple[list[str], list[str]]:
        before = set(out)
        for name in names:
            if rng.random() < 0.2:
                out.symmetric_difference_update({name})
        return sorted(out - before), sorted(before - out)

    fates = Fates(rng.randrange(2**32), rng, rng.choice([0.0, 0.3]), rng.choice([0.0, 0.1, 0.4]))
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        summary = run(tournament, home, fates, kills, people)
        for _ in range(3):  # what is undecided is decided when it is tried again
            summary = run(tournament, home, fates, [])
        assert summary.undecided == []
        for each in stored(home):
            plan = Plan.from_text(each.plan)
            seen = [name for meeting in plan.meetings for name in meeting.entrants]
            assert len(set(seen)) == len(seen)
        if tournament.format == "knockout":
            assert read_bracket(home).rounds[-1][0].winner in names


def test_an_undecided_match_of_an_earlier_round_changes_no_pairing() -> None:
    """A match that is void again and again is played later; rounds and points stay as they were."""
    bots = tuple(BotEntry(f"b{n}", ref="random") for n in range(4))
    tournament = Tournament("open", ("leaves",), bots, format="swiss", rounds=2, seed=1, workers=1)
    fates = Fates(5, Random(5))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with pytest.MonkeyPatch.context() as patch:
            never = fates.play

            def play(job: MatchJob) -> Played | Lost:
                return lost(job) if job.number == 0 else never(job)

            patch.setattr(fates, "play", play)
            assert len(run(tournament, home, fates, []).undecided) == 1
        before = stored(home)
        assert len(before) == 2
        summary = run(tournament, home, fates, [])
        assert (summary.played, summary.undecided) == (1, [])
        assert stored(home) == before
