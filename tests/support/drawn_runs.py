"""Runs of a real runner and store whose matches are drawn beforehand, and played by nobody."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from support import finished

from arena.packed.match import pack
from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.store import open_store
from arena.store.rounds import StoredRound
from arena.values.errors import UnableSeat, Void
from arena.values.model import Decision, Match, MatchJob, Tournament
from arena.values.tables import MatchRow
from arena.workers.local import Lost
from arena.workers.worker import Make

FOR_EVER = 2.0  # in place of how often somebody is unable


class Killed(Exception):
    """The run is over, at once."""


def lost(job: MatchJob) -> Lost:
    return Lost(job.number, Void("the worker was lost"))


def unable(job: MatchJob, name: str, answered: bool) -> Lost:
    """Return a match that one of its entrants was unable to play."""
    return Lost(job.number, Void("429", unable=UnableSeat(name, "429", answered)))


def drawn(*words: object) -> float:
    """Return a number from 0 to 1 that depends on the words alone, whenever it is asked for."""
    return int(sha256(" ".join(map(str, words)).encode()).hexdigest()[:8], 16) / 16**8


@dataclass
class DrawnFates:
    """How matches end: drawn from ``seed`` and the match's id; b5 is stronger than b2, say."""

    rng: Random
    kill_after: int = 10**9  # so many results the run is killed
    seed: int = 0
    flaws: Mapping[str, float] = field(default_factory=dict)  # how often a bot fails to start
    lossy: float = 0.0  # how often a match is void, up to so many times
    times: int = 4
    unable: Mapping[str, float] = field(default_factory=dict)  # how often a bot is, up to 3 times
    gone: float = 0.0  # and how often whenever it is played
    alike: float = 0.0  # how often the actions are the same as in others
    even: bool = False  # nobody is stronger, and some matches are drawn
    now: float = 0.0  # in seconds, which pass only while nothing else happens
    voids: dict[str, int] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)

    def is_gone(self, match: str) -> bool:
        return drawn(self.seed, match, "gone") < self.gone

    def failed(self, match: str, names: Sequence[str]) -> list[int]:
        """Return the seats whose bots do not start."""
        return [
            seat
            for seat, name in enumerate(names)
            if drawn(self.seed, match, name, "starts") < self.flaws.get(name, 0.0)
        ]

    def ranks(self, match: str, names: Sequence[str]) -> tuple[int, ...]:
        if failed := self.failed(match, names):
            return tuple(len(names) if seat in failed else 1 for seat in range(len(names)))
        luck = [6 * drawn(self.seed, match, name) for name in names]
        shown = [
            int(some / 2) if self.even else int(name[1]) + some
            for some, name in zip(luck, names, strict=True)
        ]
        places = sorted(shown, reverse=True)
        return tuple(1 + places.index(one) for one in shown)

    def action(self, match: str) -> str:
        return "same" if drawn(self.seed, match, "alike") < self.alike else match

    def play(self, job: MatchJob) -> MatchRow | Lost:
        if self.is_gone(job.id):
            return lost(job)
        if job.id not in self.voids:
            is_lost = drawn(self.seed, job.id, "void") < self.lossy
            self.voids[job.id] = (
                1 + int(self.times * drawn(self.seed, job.id, "times")) if is_lost else 0
            )
        if self.voids[job.id]:
            self.voids[job.id] -= 1
            return lost(job)
        names = [seat.entrant.name for seat in job.seats]
        for name in names:
            if self.unable.get(name) == FOR_EVER:
                return unable(job, name, True)
            words = self.seed, job.id, name
            times = (
                int(4 * drawn(*words, "fails")) if drawn(*words) < self.unable.get(name, 0) else 0
            )
            left = self.voids.setdefault(f"{job.id} {name}", times)
            if left:
                self.voids[f"{job.id} {name}"] -= 1
                return unable(job, name, drawn(*words, left) < 0.5)
        failed = self.failed(job.id, names)
        result = finished.of_job(job, failed)
        record = replace(result.record, ranks=self.ranks(job.id, names))
        if not failed:
            actions = ((0, self.action(job.id)),)
            record = replace(record, actions=actions, decisions=(Decision(),))
        return pack(replace(result, record=record))

    def begin(self, job: MatchJob) -> None:
        """Note that a match is given to a worker."""
        self.started.append(job.id)


def workers_of(fates: DrawnFates) -> type:
    """Return a class that replaces ``Workers`` and starts no process; ``fates`` ends each match.

    Matches end in any order, and the run is killed after ``fates.kill_after`` results.
    """

    class FakeWorkers:
        def __init__(
            self, count: int, *, pin: bool, shown: Path, ahead: bool, secrets: Mapping[str, str]
        ) -> None:
            self._count = count
            self._room = 2 * count - 1  # one worker plays one after the other

        def __enter__(self) -> FakeWorkers:
            return self

        def stop(self) -> None:
            pass

        def use(self, most: int) -> None:
            self._room = min(self._room, 2 * most - 1)

        def most_used(self) -> int:
            return 0  # nobody holds any memory

        def run(
            self,
            matches: Callable[[int], Match | float | None],
            make: Make,
            look: Callable[[], None],
        ) -> Iterator[list[MatchRow | Lost]]:
            flying: list[MatchJob] = []
            while True:
                while len(flying) < self._room:
                    match = matches(fates.rng.randrange(self._count))
                    if isinstance(match, float) and not flying:
                        fates.now += match
                        continue
                    if not isinstance(match, Match):
                        break
                    job = make(match)
                    fates.begin(job)
                    flying.append(job)
                if not flying:
                    return
                if fates.kill_after == 0:
                    raise Killed
                fates.kill_after -= 1
                look()
                # the first waits often, so that others run far ahead of it
                at = fates.rng.choice([0, len(flying) - 1, fates.rng.randrange(len(flying))])
                results = [fates.play(flying.pop(at))]
                while flying and fates.kill_after and fates.rng.random() < 0.3:  # together
                    fates.kill_after -= 1
                    results.append(fates.play(flying.pop(0)))
                yield results

    return FakeWorkers


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

    ``people`` says for each run whom somebody takes out, and puts back in. Now and then somebody
    looks at the leaderboard meanwhile.
    """

    def look_sometimes(_: runner.Progress) -> None:
        if fates.rng.random() < 0.05:
            read_leaderboard(home)

    planned = [each.plan for each in stored(home)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Workers", workers_of(fates))
        for number, kill in enumerate([*kills, 10**9]):
            fates.kill_after = kill
            out, back = people(number)
            gone = {*tournament.without, *out} - {*back}
            tournament = replace(tournament, without=tuple(sorted(gone)))
            with contextlib.suppress(Killed):
                summary = runner.run_tournament(
                    tournament,
                    home,
                    extend=extend,
                    progress=look_sometimes,
                    clock=lambda: fates.now,
                )
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
