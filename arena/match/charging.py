"""What a bot is charged for, as arithmetic over two looks at what its processes have used.

There is no clock or file here: ``meter.py`` reads what a bot has used, ``listening.py`` knows for
how long the arena did not listen. The one rule of time is that a bot is charged the larger of

- the CPU time of all its processes, and
- the wall time in which the arena listened, less the time that the bot's main thread waited for a
  CPU, as far as that wait is believed.
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
    "pondered",
    "spent",
    "spent_how",
]

PONDER_NS = 20_000_000  # what a bot may use while it is not asked: to clean up behind itself
PONDER_SHARE = 10  # and where it waits for long, one part in so many of that


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

    The wall time is that in which the arena listened. All are whole microseconds, as in the record,
    so that a verdict follows from the record, too.
    """

    wall_ms: float
    cpu_ms: float | None
    charged_ms: float


NOTHING = Spent(0.0, None, 0.0)


def spent(wall_ns: int, before: Sample, after: Sample, believed_ns: int | None = None) -> Spent:
    """Return what a decision took between two samples, by the rule of this module.

    Where this kernel does not say how long a bot waits, the wall time alone is charged.

    Args:
        wall_ns: from the question to the answer, or to now, without what the arena did not hear.
        before: what had been used when the bot was asked.
        after: what it has used now.
        believed_ns: the most of its wait that is believed; ``None``: all of it.

    >>> spent(200_000_000, Sample(0, 0), Sample(30_000_000, 150_000_000))
    Spent(wall_ms=200.0, cpu_ms=30.0, charged_ms=50.0)
    >>> spent(200_000_000, Sample(0, 0), Sample(30_000_000, 150_000_000), 60_000_000)
    Spent(wall_ms=200.0, cpu_ms=30.0, charged_ms=140.0)
    """
    cpu_ns = max(0, after.cpu_ns - before.cpu_ns)
    wall_ns = max(0, wall_ns)
    if before.wait_ns is None or after.wait_ns is None:
        charged_ns = wall_ns
    else:
        wait_ns = max(0, after.wait_ns - before.wait_ns)
        charged_ns = max(
            cpu_ns, wall_ns - (wait_ns if believed_ns is None else min(wait_ns, believed_ns))
        )
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
