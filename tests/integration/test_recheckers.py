"""Processes that recheck what hosts sent."""

from __future__ import annotations

import os
import queue
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from support.cluster_world import LEVEL, jobs, played_record, schedule

from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Item, Recheckers
from arena.packed.match import StoredMatch, pack
from arena.values.model import Match, MatchJob, MatchResult
from arena.workers.jobs import JobFactory

pytestmark = pytest.mark.slow

SECONDS = 60.0
DEADLY = 7


class Deadly(JobFactory):
    """Jobs of which one ends the process that makes it."""

    def __call__(self, match: Match) -> MatchJob:
        if match.number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(match)


Found = queue.SimpleQueue[tuple[Sequence[Item], Any]]


@pytest.fixture
def found() -> Found:
    return queue.SimpleQueue()


@pytest.fixture
def deadly() -> Iterator[Recheckers]:
    usual = jobs()
    recheckers = Recheckers(Deadly(*(getattr(usual, name) for name in JobFactory.__slots__)))
    yield recheckers
    recheckers.close()


def items(count: int) -> list[Item]:
    """Return so many matches, as a host sent them."""
    make = jobs()
    records = [(match, played_record(make(match), host="alpha")) for match in schedule(count)]
    return [
        (match, Sent(pack(MatchResult(match.number, record)), LEVEL, "alpha"))
        for match, record in records
    ]


def test_each_match_is_found(found: Found) -> None:
    """Those that are right as they are to be stored; one that is wrong with the reason."""
    given = items(20)
    wrong = given[4][1].packed._replace(ranks=(9, 9))
    given[4] = (given[4][0], given[4][1]._replace(packed=wrong))
    recheckers = Recheckers(jobs())
    try:
        recheckers.give(given, lambda items, what: found.put((items, what)))
        asked, what = found.get(timeout=SECONDS)
    finally:
        recheckers.close()
    assert asked == given
    assert [isinstance(one, StoredMatch) for one in what] == [place != 4 for place in range(20)]
    assert "ranks" in what[4]


def test_processes_that_ended_are_replaced(deadly: Recheckers, found: Found) -> None:
    """What was with the match that ended them is said to be not rechecked; the next ones are."""
    given = items(20)
    deadly.give(given[:10], lambda items, what: found.put((items, what)))
    asked, what = found.get(timeout=SECONDS)
    assert asked == given[:10]
    assert isinstance(what, Exception)
    deadly.give(given[10:], lambda items, what: found.put((items, what)))
    asked, what = found.get(timeout=SECONDS)
    assert asked == given[10:]
    assert all(isinstance(one, StoredMatch) for one in what)
