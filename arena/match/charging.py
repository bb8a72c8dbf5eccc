"""What a bot is charged for, as arithmetic over two looks at what its processes have used.

There is no clock or file here; ``meter.py`` does the looking. A bot is charged its wall time minus
the time that its main thread waited for a CPU, as far as that wait is believed, and at least the
CPU time of all its processes.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.values.model import Decision

__all__ = [
    "NOTHING",
    "PONDER_NS",
    "Sample",
    "Spent",
    "decided_at_once",
    "doubted_ns",
    "pondered",
    "spent",
    "spent_how",
]

PONDER_NS = 20_000_000  # what a bot may use while it is not asked: to clean up behind itself
PONDER_SHARE = 10  # and where it waits for long, one part in so many of that
# of a wait that is believed without a reason: others, too, have children that end unseen, processes
# move from core to core, and busy time is counted in ticks
SLACK_NS = 100_000_000
SLACK_SHARE = 8  # and one part in so many


class Sample(NamedTuple):
    """What a bot's processes had used by one instant, in ns; neither number ever falls.

    Attributes:
        cpu_ns: CPU time of the whole tree, of what has ended, too.
        wait_ns: how long the main thread had been ready to run without a CPU; ``None`` if this
            kernel does not say.
    """

    cpu_ns: int
    wait_ns: int | None


class Spent(NamedTuple):
    """What one decision took: by the clock on the wall, of the CPUs, and of the bot's own clock.

    In whole microseconds, as in its record: so a verdict follows from the record, too.
    """

    wall_ms: float
    cpu_ms: float | None
    charged_ms: float


NOTHING = Spent(0.0, None, 0.0)


def spent(wall_ns: int, before: Sample, after: Sample, doubted_ns: int = 0) -> Spent:
    """Return what a decision took between two samples.

    Charged is the larger of the CPU time of all processes and the wall time without the time that
    the main thread waited for a CPU; where waits are not known it is the wall time alone.

    Args:
        wall_ns: from the question to the answer, or to now.
        before: what had been used when the bot was asked.
        after: what it has used now.
        doubted_ns: how much of its wait is not believed.

    >>> spent(200_000_000, Sample(0, 0), Sample(30_000_000, 150_000_000))
    Spent(wall_ms=200.0, cpu_ms=30.0, charged_ms=50.0)
    >>> spent(200_000_000, Sample(0, 0), Sample(30_000_000, 150_000_000), 90_000_000)
    Spent(wall_ms=200.0, cpu_ms=30.0, charged_ms=140.0)
    """
    cpu_ns = max(0, after.cpu_ns - before.cpu_ns)
    wall_ns = max(0, wall_ns)
    if before.wait_ns is None or after.wait_ns is None:
        charged_ns = wall_ns
    else:
        charged_ns = max(cpu_ns, wall_ns - max(0, after.wait_ns - before.wait_ns - doubted_ns))
    return Spent(_ms(wall_ns), _ms(cpu_ns), _ms(charged_ns))


def decided_at_once(wall_ns: int, cpu_ns: int) -> Decision:
    """Return how an instant answer came about, whose waits do not matter; for speed.

    Its times are whole microseconds, as in its record.

    >>> decided_at_once(90_400, 39_600)[:3]
    (0.09, 0.04, 0.09)
    """
    if wall_ns < 0:
        wall_ns = 0
    wall_ms, cpu_ms = (wall_ns + 500) // 1000 / 1000, (cpu_ns + 500) // 1000 / 1000
    times = (wall_ms, cpu_ms, wall_ms if wall_ms > cpu_ms else cpu_ms, False, False, ())
    # a third of what `Decision(…)` takes, which is a function of Python
    return tuple.__new__(Decision, times)


def _ms(ns: int) -> float:
    return (ns + 500) // 1000 / 1000


def spent_how(spent: Spent) -> str:
    """Say in a word what a bot did for most of the time it is charged; "" if nobody knows.

    There is no number in it: the same bot gives the same word twice.
    """
    if spent.cpu_ms is None:
        return ""
    return "computing" if 2 * spent.cpu_ms > spent.charged_ms else "idle"


def pondered(cpu_ns: int, wall_ns: int) -> bool:
    """Return whether CPU time used while not asked, over so much wall time, is thinking.

    Cleaning up after an answer is not.
    """
    return cpu_ns > PONDER_NS and cpu_ns * PONDER_SHARE > wall_ns


def doubted_ns(waited_ns: int, unseen_ns: int) -> int:
    """Return how much of a wait for a CPU is not believed: as much as may be a bot's own doing.

    Args:
        waited_ns: how long the bot waited.
        unseen_ns: for how long the CPUs were busy meanwhile with what no process was seen to do.

    >>> doubted_ns(800_000_000, 0), doubted_ns(800_000_000, 700_000_000)
    (0, 500000000)
    """
    return max(0, min(waited_ns, unseen_ns) - waited_ns // SLACK_SHARE - SLACK_NS)
