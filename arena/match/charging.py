"""The rule of time: what a bot is charged for a decision, and for its start.

A bot is charged the larger of

- ``cpu_ns``: the CPU time of all its processes, and
- ``wall_ns``, the time from the question to the answer, without ``unheard_ns``, the time in which
  the arena did not listen, and without ``wait_ns``, the time that the bot's main thread stood in
  the queue for a CPU, as far as that is believed.

Not listening is (a) the last break: from the poll before to the instant in which the arena hears
the answer, or looks at a deadline that has passed; (b) of each earlier break since the question the
part that was neither the arena's own CPU time nor its own wait for a CPU: a stop, a suspended
machine, a disk. A bot can hold the lock of its own pipe, on which the arena then waits: such a wait
is no break, and the bot is charged for it.

A wait is believed in full where a control group counts what all of the bot's processes use.
Elsewhere it is believed in full until three looks have each found a new process; from then on the
arena believes at most one limit, or 1 s if the limit is shorter, of a decision. Where this kernel
does not say how long a bot waits, the wall time is charged, without what was not heard.

Past limit and margin, a bot that is charged more than its limit is out of time. For any other bot
the deadline moves until it is charged that much, at most to 10 limits and 5 s of wall time that was
heard. Nothing voids a match because of time.

There is no clock or file here: ``arena/session/stopwatch.py`` takes the readings.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.values.model import Decision

PONDER_NS = 20_000_000  # what a bot may use while it is not asked: to clean up behind itself
PONDER_SHARE = 10  # and where it waits for long, one part in so many of that


class Reading(NamedTuple):
    """What was measured of one decision, or of a start, up to one instant.

    Attributes:
        wall_ns: time since the question.
        cpu_ns: CPU time of the whole tree since then, of what has ended, too.
        wait_ns: how long the main thread has been ready to run without a CPU; ``None`` if this
            kernel does not say.
        unheard_ns: how long the arena did not listen.
    """

    wall_ns: int
    cpu_ns: int
    wait_ns: int | None
    unheard_ns: int


class Spent(NamedTuple):
    """What one decision took: by the clock on the wall, of the CPUs, and of the bot's own clock.

    The wall time is that in which the arena listened. All are whole microseconds, as in the record,
    so that a verdict follows from the record, too.
    """

    wall_ms: float
    cpu_ms: float | None
    charged_ms: float


NOTHING = Spent(0.0, None, 0.0)


def charged_ns(reading: Reading, believed_ns: int | None = None) -> int:
    """Return what a bot is charged, by the rule of this module.

    Args:
        reading: what was measured.
        believed_ns: the most of its wait that is believed; ``None``: all of it.

    >>> charged_ns(Reading(wall_ns=200, cpu_ns=30, wait_ns=150, unheard_ns=0))
    50
    >>> charged_ns(Reading(wall_ns=200, cpu_ns=30, wait_ns=150, unheard_ns=40), believed_ns=60)
    100
    """
    wall_ns, cpu_ns, wait_ns, unheard_ns = reading
    heard_ns = max(0, wall_ns - unheard_ns)
    if wait_ns is None:
        return heard_ns
    wait_ns = max(0, wait_ns if believed_ns is None else min(wait_ns, believed_ns))
    return max(0, cpu_ns, heard_ns - wait_ns)


def spent(reading: Reading, believed_ns: int | None = None) -> Spent:
    """Return what a decision took, as it is judged and recorded; see ``charged_ns``."""
    heard_ns = max(0, reading.wall_ns - reading.unheard_ns)
    cpu_ns = max(0, reading.cpu_ns)
    return Spent(_ms(heard_ns), _ms(cpu_ns), _ms(charged_ns(reading, believed_ns)))


def decided_at_once(wall_ns: int, cpu_ns: int) -> Decision:
    """Return what ``spent`` returns of an answer that came within one poll, as a record has it.

    It is there for speed: there was no wait for a CPU, and nothing was unheard.

    >>> decided_at_once(90_400, 39_600)[:3]
    (0.09, 0.04, 0.09)
    """
    if wall_ns < 0:
        wall_ns = 0
    wall_ms, cpu_ms = (wall_ns + 500) // 1000 / 1000, (cpu_ns + 500) // 1000 / 1000
    times = (wall_ms, cpu_ms, wall_ms if wall_ms > cpu_ms else cpu_ms, False, False, (), 0)
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
