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
def test_gaps(gaps: list[tuple[int, int, int]], unheard: int) -> None:
    """All of the last gap counts, of earlier ones what was neither our CPU time nor our wait."""
    assert polled(*gaps).unheard_ns(0, 0) == unheard * MS


def test_a_poll_that_returns_late() -> None:
    """What a poll takes beyond its time is a gap as well: we were stopped in it."""
    listening = UnheardTime(Own())
    listening.begin(0)
    listening.woke(0, 725 * MS, 25 * MS)
    assert listening.unheard_ns(0, 0) == 700 * MS


def test_our_wait_for_a_cpu_within_a_poll() -> None:
    """Who waited for a CPU after a poll had found something heard it that much later."""
    own = Own()
    listening = UnheardTime(own)
    listening.begin(0)
    listening.measure()
    own.use(0, 15)
    listening.woke(0, 20 * MS, 25 * MS)
    assert listening.unheard_ns(0, 0) == 15 * MS


def test_only_what_came_after_the_start() -> None:
    """A gap before a bot was asked is none of its time."""
    listening = polled((400, 0, 0))
    assert listening.unheard_ns(0, 325 * MS) == 100 * MS
    before = listening.total_ns()
    listening.begin(500 * MS)
    listening.woke(500 * MS, 525 * MS, 25 * MS)
    assert listening.unheard_ns(before, 500 * MS) == 0
