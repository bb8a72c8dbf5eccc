"""Processes that recheck what hosts sent: watched, and replaced where one dies."""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Iterator, Sequence

import pytest
from support.cluster_world import LEVEL, jobs, played_record, schedule

from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Rechecked, Recheckers
from arena.jobs import Jobs
from arena.model import Match, MatchJob, MatchResult
from arena.packed.match import StoredMatch, pack

pytestmark = pytest.mark.slow

SECONDS = 60.0
DEADLY = 7


class Deadly(Jobs):
    """Jobs of which one ends the process that makes it."""

    def __call__(self, match: Match) -> MatchJob:
        if match.number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(match)


@pytest.fixture
def selector() -> Iterator[selectors.BaseSelector]:
    with selectors.DefaultSelector() as selector:
        yield selector


def items(count: int) -> list[tuple[Match, Sent]]:
    """Return so many matches, as a host sent them."""
    make = jobs()
    records = [(match, played_record(make(match), host="alpha")) for match in schedule(count)]
    return [
        (match, Sent(pack(MatchResult(match.number, record)), LEVEL, "alpha"))
        for match, record in records
    ]


def found_by(
    recheckers: Recheckers, selector: selectors.BaseSelector, make: Jobs, given: Sequence[object]
) -> list[Rechecked]:
    """Return what they find of so many matches."""
    found: list[Rechecked] = []
    while len(found) < len(given):
        events = selector.select(SECONDS)
        assert events
        for key, _ in events:
            found += recheckers.receive(key.fd, make)
    return found


def test_many_matches_over_several_processes(selector: selectors.BaseSelector) -> None:
    """Each is found once, and stands; one that does not is found, too."""
    make, given = jobs(), items(300)
    wrong = given[40][1].packed._replace(ranks=(9, 9))
    given[40] = (given[40][0], given[40][1]._replace(packed=wrong))
    recheckers = Recheckers(2, selector)
    try:
        recheckers.give(given, make)
        assert len(recheckers) == 300
        found = found_by(recheckers, selector, make, given)
    finally:
        recheckers.close()
    stand = {one.match.number for one in found if isinstance(one.found, StoredMatch)}
    assert stand == set(range(300)) - {40}
    assert len(found) == 300


def test_a_match_that_ends_processes_is_void(selector: selectors.BaseSelector) -> None:
    """The others that were with it do."""
    usual = jobs()
    make = Deadly(*(getattr(usual, name) for name in Jobs.__slots__))
    given = items(20)
    recheckers = Recheckers(2, selector)
    try:
        recheckers.give(given, make)
        found = found_by(recheckers, selector, make, given)
    finally:
        recheckers.close()
    assert {one.match.number for one in found if one.ended} == {DEADLY}
    assert {one.match.number for one in found if isinstance(one.found, str)} == {DEADLY}
    assert sorted(one.match.number for one in found) == list(range(20))
