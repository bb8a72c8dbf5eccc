"""Processes that recheck what hosts sent."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from typing import Any

import pytest
from support.cluster_world import LEVEL, jobs, played_record, schedule

from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Item, Recheckers
from arena.packed.match import StoredMatch, pack
from arena.values.model import MatchResult

pytestmark = pytest.mark.slow

SECONDS = 60.0


Found = queue.SimpleQueue[tuple[Sequence[Item], Any]]


@pytest.fixture
def found() -> Found:
    return queue.SimpleQueue()


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
