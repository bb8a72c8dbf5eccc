"""For how long the arena did not listen: all of the last gap, and what nobody explains before."""

from __future__ import annotations

import pytest

from arena.process.meter import OwnMeter
from arena.session.listening import UnheardTime

MS = 1_000_000


class Own(OwnMeter):
    """Our own CPU time and wait for a CPU, as a test says."""

    def __init__(self) -> None:
        self.used = [0, 0]

    def read(self) -> tuple[int, int]:
        """Return them."""
        return self.used[0], self.used[1]

    def use(self, cpu_ms: int, wait_ms: int = 0) -> None:
        """Compute and wait for so long."""
        self.used[0] += cpu_ms * MS
        self.used[1] += wait_ms * MS


def polled(*gaps: tuple[int, int, int]) -> UnheardTime:
    """Return what is known after polls of 25 ms, each with a gap before it.

    Args:
        gaps: how long each took, of it our own CPU time, and our wait for a CPU.
    """
    own = Own()
    listening, now = UnheardTime(own), 0
    listening.begin(0)
    listening.measure()
    for took, cpu, wait in gaps:
        own.use(cpu, wait)
        polled_at, now = now + took * MS, now + (took + 25) * MS
        listening.woke(polled_at, now, 25 * MS)
    return listening


@pytest.mark.parametrize(
    ("gaps", "unheard"),
    [
        ([(0, 0, 0)], 0),
        ([(400, 0, 0)], 400),  # the last one: a disk
        ([(400, 150, 250)], 400),  # and our own work
        ([(400, 0, 0), (0, 0, 0)], 400),  # nobody knows what we did: we were stopped
        ([(400, 150, 250), (0, 0, 0)], 0),  # we worked: what came meanwhile was heard right after
        ([(400, 100, 100), (0, 0, 0)], 200),
        ([(20_000, 0, 0), (0, 0, 0), (3, 3, 0)], 20_003),
    ],
)
def test_unheard_time_adds_unexplained_gaps(gaps: list[tuple[int, int, int]], unheard: int) -> None:
    """The last gap is unheard time, and of earlier ones what was neither own CPU time nor wait."""
    assert polled(*gaps).unheard_ns(0, 0) == unheard * MS


def test_poll_that_returns_late_is_gap() -> None:
    """A poll of 25 ms that returns after 725 ms is 700 ms of unheard time."""
    listening = UnheardTime(Own())
    listening.begin(0)
    listening.woke(0, 725 * MS, 25 * MS)
    assert listening.unheard_ns(0, 0) == 700 * MS


def test_own_wait_for_cpu_after_poll_is_unheard_time() -> None:
    """15 ms for which the arena waited for a CPU after a poll are unheard time."""
    own = Own()
    listening = UnheardTime(own)
    listening.begin(0)
    listening.measure()
    own.use(0, 15)
    listening.woke(0, 20 * MS, 25 * MS)
    assert listening.unheard_ns(0, 0) == 15 * MS


def test_gap_before_question_is_not_counted() -> None:
    """Of a gap that began before the bot was asked only the part after the question counts."""
    listening = polled((400, 0, 0))
    assert listening.unheard_ns(0, 325 * MS) == 100 * MS
    before = listening.total_ns()
    listening.begin(500 * MS)
    listening.woke(500 * MS, 525 * MS, 25 * MS)
    assert listening.unheard_ns(before, 500 * MS) == 0
