"""Workers that play nothing: the runner and its store are real, only the matches are not.

How every match ends is known beforehand. What is in flight comes back in any order, some of it is
lost, and a run can be killed after any number of results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Protocol

from arena.packed.match import pack
from arena.values.errors import UnableSeat, Void
from arena.values.model import Match, MatchJob, MatchResult
from arena.workers.local import Lost, Played
from arena.workers.watched import Make


class Killed(Exception):
    """The run is over, at once."""


class Fates(Protocol):
    """How matches end, in which order they come back, and after how many the run is killed.

    ``now`` is the time in seconds, which passes only while nothing else happens.
    """

    rng: Random
    kill_after: int
    now: float

    def play(self, job: MatchJob) -> Played | Lost:
        """Return how a match ends."""
        ...


def lost(job: MatchJob) -> Lost:
    return Lost(job.number, Void("the worker was lost"))


def unable(job: MatchJob, name: str, answered: bool) -> Lost:
    """Return a match that one of its entrants was unable to play."""
    return Lost(job.number, Void("429", unable=UnableSeat(name, "429", answered)))


def played(result: MatchResult) -> Played:
    """Return a match that ended so; its bots wrote nothing."""
    return Played(pack(result))


def drawn(*words: object) -> float:
    """Return a number from 0 to 1 that depends on the words alone, whenever it is asked for."""
    return int(sha256(" ".join(map(str, words)).encode()).hexdigest()[:8], 16) / 16**8


def workers_of(fates: Fates, began: Callable[[MatchJob], object] = lambda job: None) -> type:
    """Return a class to stand in for ``Workers``; ``began`` gets each match that one is given."""

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
        ) -> Iterator[list[Played | Lost]]:
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
                    began(job)
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
