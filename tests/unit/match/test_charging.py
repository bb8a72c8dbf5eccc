"""What a bot is charged, worked by hand from samples as a kernel gave them."""

from __future__ import annotations

import pytest

from arena.match.charging import (
    NOTHING,
    Sample,
    Spent,
    decided_at_once,
    pondered,
    spent,
    spent_how,
)
from arena.match.clock import more_ms, patience_ms
from arena.values.model import Decision

MS = 1_000_000


@pytest.mark.parametrize(
    ("wall", "cpu", "wait", "charged"),
    [
        (1000, 1000, 0, 1000),  # computes alone
        (2373, 30, 2276, 97),  # stood in the queue nearly all the time: 30 computed, 67 slept
        (748, 0, 718, 30),  # a sleep of 30 ms that took 748
        (500, 0, 0, 500),  # sleeps
        (100, 180, 0, 180),  # two threads on two cores
        (1000, 900, 900, 900),  # its own threads stand in its way: no gain
        (10, 4, 12, 4),  # samples are not taken in the same instant
    ],
)
def test_charged(wall: int, cpu: int, wait: int, charged: int) -> None:
    """Charged is the larger of all CPU time and the wall time not spent waiting for a CPU."""
    before = Sample(7 * MS, 5 * MS)
    after = Sample((7 + cpu) * MS, (5 + wait) * MS)
    assert spent(wall * MS, before, after) == Spent(wall, cpu, charged)


def test_at_once() -> None:
    """An instant answer is charged its wall time, or its CPU time if that is more."""
    assert decided_at_once(MS, MS // 2) == Decision(1, 0.5, 1)
    assert decided_at_once(MS, 2 * MS) == Decision(1, 2, 2)
    assert decided_at_once(-5, 0) == Decision(0, 0, 0)


def test_no_schedstat() -> None:
    """Where the kernel does not tell waits, wall time alone is charged."""
    assert spent(300 * MS, Sample(0, None), Sample(400 * MS, None)) == Spent(300, 400, 300)


@pytest.mark.parametrize(
    ("what", "word"),
    [
        (Spent(1000, 999, 1000), "computing"),
        (Spent(2000, 700, 1000), "computing"),
        (Spent(1000, 20, 1000), "idle"),
        (Spent(0, 0, 0), "idle"),
        (NOTHING, ""),
    ],
)
def test_how(what: Spent, word: str) -> None:
    """A bot was computing if that was most of what it is charged."""
    assert spent_how(what) == word


@pytest.mark.parametrize(
    ("cpu", "wall", "expected"),
    [
        (20, 20, False),  # to clean up, 20 ms are free
        (21, 100, True),
        (21, 1000, False),  # 2 % of a long wait
        (99, 1000, False),
        (101, 1000, True),
        (5, 5, False),
    ],
)
def test_pondered(cpu: int, wall: int, expected: bool) -> None:
    """More than 20 ms and more than a tenth of the time is thinking."""
    assert pondered(cpu * MS, wall * MS) is expected


def test_what_is_not_believed_is_charged() -> None:
    """What is not believed of a wait is charged as if the bot had slept; a CPU more is no less."""
    before, after = Sample(0, 0), Sample(100 * MS, 700 * MS)
    assert spent(1000 * MS, before, after).charged_ms == 300
    assert spent(1000 * MS, before, after, 700 * MS).charged_ms == 300
    assert spent(1000 * MS, before, after, 100 * MS).charged_ms == 900
    assert spent(300 * MS, before, Sample(900 * MS, 100 * MS), 10 * MS).charged_ms == 900


@pytest.mark.parametrize(
    ("wall", "cpu", "charged", "unsettled", "more"),
    [
        (1050, 1040, 1040, 0, 0),  # over its limit
        (1050, 0, 1050, 0, 0),  # asleep
        (1050, 200, 300, 0, 700),  # it cannot be over its limit sooner
        (1050, 998, 999, 0, 2),  # not looked at all the time
        (1050, 1000, 1000, 0, 2),  # its limit is not over its limit
        (1050, 200, 1040, 41, 2),  # it may have waited for the last 41 of them
        (1050, 200, 1040, 39, 0),  # that would not be enough
        (1050, 1001, 1040, 9999, 0),  # nor would that: it has had more than its limit
        (14_900, 100, 200, 0, 100),  # up to 10 limits and 5 s
        (15_000, 100, 200, 0, 0),
        (15_100, 100, 200, 0, 0),
        (15_100, 100, 2000, 9999, 0),
        (15_100, 100, 2000, 0, 0),
    ],
)
def test_more_ms(wall: float, cpu: float, charged: float, unsettled: float, more: float) -> None:
    """A deadline of 1000 ms moves until the bot is charged more, at most to 15 s."""
    assert patience_ms(1000) == 15_000
    assert more_ms(1000, Spent(wall, cpu, charged), cores=1, unsettled_ms=unsettled) == more


def test_more_ms_on_two_cores() -> None:
    """What two cores can give in half the time is looked for after half the time."""
    assert more_ms(1000, Spent(1050, 300, 300), cores=2) == 350
