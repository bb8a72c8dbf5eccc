"""What workers bring together is taken in in the order in which it came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import finished
from support.fake_workers import lost, played

from arena.run import runner
from arena.run.runner import Progress, run_tournament
from arena.values.model import BotEntry, Match, Tournament
from arena.workers.local import Lost, Played
from arena.workers.watched import Make

TRIES = 3  # that are void, before a match is given up


class Together:
    """Workers of a tournament of three pairings, six matches, which bring all of it at once.

    The third match is void as often as it is tried; the last time it comes between the others.
    """

    def __init__(self, count: int, *, pin: bool) -> None:
        pass

    def __enter__(self) -> Together:
        return self

    def stop(self) -> None:
        pass

    def use(self, most: int) -> None:
        pass

    def run(
        self, matches: Callable[[int], Match | None], make: Make, look: Callable[[], None]
    ) -> Iterator[list[Played | Lost]]:
        jobs = [make(match) for match in iter(lambda: matches(0), None)]
        for _ in range(TRIES - 1):
            yield [lost(jobs[2])]
            assert matches(0) is not None
        yield [
            lost(job) if number == 2 else played(finished.of_job(job))
            for number, job in enumerate(jobs)
        ]


def test_results_are_told_in_the_order_in_which_they_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is given up is told after those before it, and before those that follow."""
    monkeypatch.setattr(runner, "Workers", Together)
    bots = tuple(BotEntry(name, ref="random") for name in ("ash", "elm", "oak"))
    tournament = Tournament(name="order", games=("leaves",), bots=bots, sandbox="none", rounds=1)
    told: list[Progress] = []
    run_tournament(tournament, tmp_path, tell=told.append)
    assert [one.by == "void" for one in told[1:]] == [False, False, True, False, False, False]
    assert [one.settled for one in told] == list(range(7))
