"""Clocks measure the bot and not the machine: no time forfeits beside burners, but for the slow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.burners import burners
from support.match_jobs import HUNGRY, pebbles, played_by, seat

from arena.isolation.choose import choose_level
from arena.process.meter import schedstat_works
from arena.record.record import parse_record
from arena.values.model import Clock, MatchJob, Record
from arena.values.tables import MatchRow
from arena.workers.local import Workers

pytestmark = [
    pytest.mark.usefixtures("small_games"),
    pytest.mark.skipif(
        not schedstat_works(), reason="this kernel does not say how long a process waits for a CPU"
    ),
]

LIMIT_MS = 40
CLOCK = Clock(move_ms=LIMIT_MS, first_ms=0, margin_ms=50, start_ms=60_000)
WORKERS = 2

CAMPAIGNS = pytest.mark.parametrize(
    ("count", "others"),
    [
        pytest.param(10, 4, marks=pytest.mark.slow),
        pytest.param(500, 8, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
# where bots are isolated, control groups count their CPU time, if there are any
LEVELS = pytest.mark.parametrize("sandbox", ["none", "auto"])


def matches(
    count: int, first_ms: float, second_ms: float, heap: int, sandbox: str
) -> Iterator[MatchJob]:
    """Yield matches between bots that use so much CPU time for each decision, in either seat."""
    for number in range(count):
        seats = [
            seat(f"burn={cpu_ms}", program=HUNGRY, name=name, clock=CLOCK)
            for name, cpu_ms in (("first", first_ms), ("second", second_ms))
        ]
        if number % 2:
            seats.reverse()
        yield pebbles(*seats, heap=heap, number=number, sandbox=choose_level(sandbox))


def play_all(jobs: Iterator[MatchJob], others: int) -> list[Record]:
    """Play on two workers, one a core, beside so many burners."""
    with burners(others), Workers(WORKERS) as workers:
        outcomes = played_by(workers, jobs)
    assert all(isinstance(outcome, MatchRow) for outcome in outcomes), "no match is void"
    records = [parse_record(o.data.decode()) for o in outcomes if isinstance(o, MatchRow)]
    charged = [decision.charged_ms for record in records for decision in record.decisions]
    print(
        f"\n{len(records)} matches, {len(charged)} decisions; at most {max(charged):.1f} ms charged"
    )
    return records


@CAMPAIGNS
@LEVELS
def test_half_the_limit(count: int, others: int, sandbox: str) -> None:
    """Bots that need half of their limit lose no match on time, and no answer is late."""
    records = play_all(matches(count, LIMIT_MS / 2, LIMIT_MS / 2, 4, sandbox), others)
    assert len(records) == count
    assert [record.faults for record in records if record.faults] == []
    assert not any(decision.late for record in records for decision in record.decisions)


@CAMPAIGNS
@LEVELS
def test_more_than_the_limit(count: int, others: int, sandbox: str) -> None:
    """Bots that need 120 % of their limit lose every match on time, and only they do."""
    records = play_all(matches(count, LIMIT_MS * 1.2, LIMIT_MS / 2, 12, sandbox), others)
    assert len(records) == count
    for record in records:
        assert record.by == "time"
        assert [record.players[fault.player].bot for fault in record.faults] == ["first"]
