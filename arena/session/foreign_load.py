"""What this machine did for others: the CPU time of every process that is no part of a match.

A bot must not be able to pass its own work off as somebody else's. So only processes count that can
be seen, alive, and are none of the bots'; what they waited for counts with them. Busy time that
belongs to nobody who can be seen counts for nothing.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Mapping

from arena import procfs
from arena.process.bot import strays
from arena.process.meter import busy_ns
from arena.session.guard import Guard

__all__ = ["ForeignLoad", "Work", "work_between", "work_of_others"]

Work = Mapping[tuple[int, int], tuple[int, int]]
"""Process id and start time → the CPU time it used and reaped so far, in ns, and its last core."""


class ForeignLoad:
    """The CPU time used outside of a match, from when this is made.

    A void match is played again, so no bot may bring it about. Work outside the match is what kept
    the cores busy beside it, and no more of it than living processes of others can have done:
    the time of a bot's children that have ended unseen counts as the bot's own.
    """

    def __init__(self, guards: Mapping[int, Guard], spare: frozenset[int], *, alone: bool) -> None:
        """Begin to measure.

        Args:
            guards: of the bots in the match.
            spare: children of this process that are no part of the match.
            alone: see ``strays``.
        """
        self._guards = guards
        self._spare = spare
        self._alone = alone
        self._cores = frozenset(os.sched_getaffinity(0))
        self._busy_before = self._busy_ns()
        self._others_before = work_of_others(self._pids())

    def ms(self) -> float:
        """Return what was used up to now, in ms."""
        seen_ns = work_between(self._others_before, work_of_others(self._pids()), self._cores)
        return min(self._busy_ns() - self._busy_before, seen_ns) / 1e6

    def _busy_ns(self) -> int:
        """Return for how long the cores were busy with anything but the bots and this process."""
        busy, now = busy_ns(self._cores), time.monotonic_ns()
        for guard in self._guards.values():
            guard.bot.meter.walk()
        used = sum(guard.bot.meter.read(now).cpu_ns for guard in self._guards.values())
        return busy - used - time.process_time_ns()

    def _pids(self) -> frozenset[int]:
        """Return the process ids of this match: of all bots, of what keeps them, and our own."""
        found = {os.getpid()}
        for bot in (guard.bot for guard in self._guards.values()):
            found |= {bot.pid, *bot.tree.members(), *procfs.descendants(bot.pid)}
        for pid in strays(self._spare, alone=self._alone):  # orphans of bots come to us
            found |= {pid, *procfs.descendants(pid)}
        return frozenset(found)


def work_of_others(ours: Collection[int]) -> Work:
    """Return what every living process but ours has used; takes some 10 ms.

    Args:
        ours: process ids that do not count.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for pid in procfs.pids():
        if pid in ours:
            continue
        with contextlib.suppress(OSError, ValueError):
            fields = procfs.stat(pid)
            used_ns = sum(map(int, fields[procfs.TIMES])) * procfs.TICK_NS
            found[pid, int(fields[procfs.START])] = used_ns, int(fields[procfs.CORE])
    return found


def work_between(before: Work, after: Work, cores: Collection[int]) -> int:
    """Return the CPU time used between two looks, in ns, by those on these cores at the second.

    >>> work_between({(7, 1): (50, 0), (8, 1): (60, 0)}, {(7, 1): (70, 0), (9, 2): (5, 1)}, {0, 1})
    25
    """
    return sum(
        max(0, used - before.get(who, (0, 0))[0])
        for who, (used, core) in after.items()
        if core in cores
    )
