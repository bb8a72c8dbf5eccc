"""Runs of a real runner and store whose matches are drawn beforehand, and are planned in rounds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from support import finished
from support.fake_workers import Killed, drawn, lost, played, workers_of

from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.store import open_store
from arena.store.rounds import StoredRound
from arena.values.model import Decision, MatchJob, Tournament
from arena.workers.local import Lost, Played

__all__ = ["DrawnFates", "restless", "run", "stored"]

FLAWED = ("b0", "b1")


@dataclass
class DrawnFates:
    """How matches end: drawn from ``seed`` and the match's id; b5 is stronger than b2, say."""

    rng: Random
    kill_after: int = 10**9  # so many results
    seed: int = 0
    flaw: float = 0.0  # how often b0 and b1 fail to start
    lossy: float = 0.0
    alike: bool = False  # the same actions in every match
    even: bool = False  # nobody is stronger, and some matches are drawn
    voids: dict[str, int] = field(default_factory=dict)

    def play(self, job: MatchJob) -> Played | Lost:
        if job.id not in self.voids:
            is_lost = drawn(self.seed, job.id, "void") < self.lossy
            self.voids[job.id] = 1 + int(4 * drawn(self.seed, job.id, "times")) if is_lost else 0
        if self.voids[job.id]:
            self.voids[job.id] -= 1
            return lost(job)
        names = [seat.entrant for seat in job.seats]
        luck = [6 * drawn(self.seed, job.id, name) for name in names]
        shown = [
            int(some / 2) if self.even else int(name[1]) + some
            for some, name in zip(luck, names, strict=True)
        ]
        places = sorted(shown, reverse=True)
        failed = [
            seat
            for seat, name in enumerate(names)
            if name in FLAWED and drawn(self.seed, job.id, name, "starts") < self.flaw
        ]
        result = finished.of_job(job, failed)
        record = result.record
        if failed:
            ranks = tuple(len(names) if seat in failed else 1 for seat in range(len(names)))
            return played(replace(result, record=replace(record, ranks=ranks)))
        action = "same" if self.alike else job.id
        record = replace(
            record,
            ranks=tuple(1 + places.index(one) for one in shown),
            actions=((0, action),),
            decisions=(Decision(),),
        )
        return played(replace(result, record=record))


def stored(home: Path) -> list[StoredRound]:
    with open_store(home, create=False) as store:
        latest = store.tournaments.latest("open")
        return [] if latest is None else store.rounds.all(latest.id)


def run(
    tournament: Tournament,
    home: Path,
    fates: DrawnFates,
    kills: list[int],
    people: Callable[[int], tuple[list[str], list[str]]] = lambda n: ([], []),
    *,
    extend: bool = False,
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
            gone = {*tournament.without, *out} - {*back}
            tournament = replace(tournament, without=tuple(sorted(gone)))
            with contextlib.suppress(Killed):
                summary = runner.run_tournament(tournament, home, extend=extend)
            now = [each.plan for each in stored(home)]
            assert now[: len(planned)] == planned
            planned = now
            read_leaderboard(home)
    return summary


def restless(
    names: Sequence[str], out: set[str], rng: Random
) -> Callable[[int], tuple[list[str], list[str]]]:
    """Return people for ``run`` who take bots out and put them back; ``out`` has who is out."""

    def people(_: int) -> tuple[list[str], list[str]]:
        before = set(out)
        for name in names:
            if rng.random() < 0.2:
                out.symmetric_difference_update({name})
        return sorted(out - before), sorted(before - out)

    return people
