"""What a bot is charged, worked by hand from samples as a kernel gave them."""

from __future__ import annotations

import pytest

from arena.match.charging import (
    NOTHING,
    Reading,
    Spent,
    charged_ns,
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
def test_charge_is_cpu_or_unwaited_wall_time(wall: int, cpu: int, wait: int, charged: int) -> None:
    """A bot is charged its CPU time, or its wall time less its waits for a CPU if that is more."""
    reading = Reading(wall * MS, cpu * MS, wait * MS, 0)
    assert charged_ns(reading) == charged * MS
    assert spent(reading) == Spent(wall, cpu, charged)


def test_instant_answer_is_charged_larger_of_wall_and_cpu_time() -> None:
    """An answer that was there at once is charged the larger of its wall time and CPU time."""
    assert decided_at_once(MS, MS // 2) == Decision(1, 0.5, 1)
    assert decided_at_once(MS, 2 * MS) == Decision(1, 2, 2)
    assert decided_at_once(-5, 0) == Decision(0, 0, 0)


def test_charge_without_schedstat_is_wall_time() -> None:
    """On a kernel that does not report waits, a bot is charged its wall time."""
    assert spent(Reading(300 * MS, 400 * MS, None, 0)) == Spent(300, 400, 300)
    assert spent(Reading(300 * MS, 400 * MS, None, 100 * MS)) == Spent(200, 400, 200)


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
def test_bot_is_computing_if_most_of_its_charge_is_cpu_time(what: Spent, word: str) -> None:
    """A bot is said to be computing if CPU time is most of its charge, else idle."""
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
def test_pondering_is_over_20_ms_and_a_tenth_of_time(cpu: int, wall: int, expected: bool) -> None:
    """A bot ponders if it used more than 20 ms of CPU and more than a tenth of the wall time."""
    assert pondered(cpu * MS, wall * MS) is expected


@pytest.mark.parametrize(
    ("reading", "believed", "charged"),
    [
        ((1000, 100, 700, 0), None, 300),
        ((1000, 100, 700, 0), 700, 300),
        ((1000, 100, 700, 0), 100, 900),  # what is not believed is charged as if it had slept
        ((300, 900, 100, 0), 10, 900),  # a CPU more is no less
        ((1500, 100, 0, 400), None, 1100),  # we were stopped for 400 ms
        ((1500, 100, 700, 400), None, 400),
        ((1500, 1300, 0, 400), None, 1300),  # while it computed
        ((1500, 100, 700, 400), 200, 900),
        ((300, 100, 0, 400), None, 100),  # of what began before the question, too
        ((1500, 100, 0, -600), None, 2100),  # it held its own pipe, which we take for a break
    ],
)
def test_charge_leaves_out_unheard_time_and_believed_waits(
    reading: tuple[int, int, int, int], believed: int | None, charged: int
) -> None:
    """A bot is not charged for time the arena did not listen, nor for waits that are believed."""
    found = Reading(*(number * MS for number in reading))
    assert charged_ns(found, None if believed is None else believed * MS) == charged * MS


@pytest.mark.parametrize(
    ("wall", "cpu", "charged", "uncounted", "more"),
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
def test_deadline_moves_until_charge_exceeds_limit(
    wall: float, cpu: float, charged: float, uncounted: float, more: float
) -> None:
    """A deadline of 1000 ms moves on until the bot's charge exceeds it, at most to 15 s."""
    assert patience_ms(1000) == 15_000
    least = max(cpu, charged - uncounted)
    assert more_ms(1000, Spent(wall, cpu, charged), least, cores=1) == more


def test_deadline_on_two_cores_moves_by_half() -> None:
    """With 700 ms left and two cores, the next look is after 350 ms."""
    assert more_ms(1000, Spent(1050, 300, 300), 300, cores=2) == 350
