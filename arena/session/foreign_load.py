"""How much of a bot's wait for a CPU others explain: as much as they were seen to compute.

A bot whose children end unseen could otherwise pass its own work off as somebody else's.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Mapping
from typing import NamedTuple

from arena import procfs
from arena.match.charging import doubted_ns
from arena.process.bot import BotProcess, strays
from arena.process.meter import cpu_clock

__all__ = ["ForeignLoad", "Used", "work_between", "work_of_others"]

LOOK_NS = 50_000_000  # between looks
LOOK_SHARE = 10  # and at most one part of our CPU time in so many is spent on them


class Used(NamedTuple):
    """What a process and the children it waited for have used so far, in ns; its last core."""

    own_ns: int
    reaped_ns: int
    core: int


Work = Mapping[tuple[int, int], Used]  # by process id and start time


class ForeignLoad:
    """Says how much of one bot's wait is not believed, from when this is made.

    Others are this process, the other bots of the match as far as they are counted, and what
    processes outside of the match do on the cores that the bot may use.
    """

    def __init__(
        self, bot: BotProcess, others: Collection[BotProcess], spare: frozenset[int], *, alone: bool
    ) -> None:
        """Begin to measure.

        Args:
            bot: who waits.
            others: the other bots of the match.
            spare: children of this process that are no part of the match.
            alone: see ``strays``.
        """
        self._bot = bot
        self._others = others
        self._spare = spare
        self._alone = alone
        self._cores = frozenset(os.sched_getaffinity(0))
        self._waited_before = bot.meter.wait_ns() or 0
        self._waited_ns = self._explained_ns = self._match_ns = 0
        self._work: Work = {}
        self._look_at = 0
        self._look()
        self._explained_ns = 0

    def doubted_ns(self, more_ns: int = 0) -> int:
        """Return how much of what the bot has waited so far is not believed.

        Args:
            more_ns: how much longer it may have waited than the kernel says yet.
        """
        if time.monotonic_ns() >= self._look_at:
            self._look()
        return doubted_ns(self._waited_ns + more_ns, self._explained_ns)

    def _look(self) -> None:
        """See what was done since the last look."""
        begin = time.thread_time_ns()
        before, self._work = self._work, work_of_others(self._pids())
        match_ns, now = time.process_time_ns(), time.monotonic_ns()
        for other in self._others:
            match_ns += other.meter.cpu_ns(now)
        self._explained_ns += work_between(before, self._work, self._cores)
        self._explained_ns += match_ns - self._match_ns
        self._match_ns = match_ns
        self._waited_ns = (self._bot.meter.wait_ns() or 0) - self._waited_before
        cost = time.thread_time_ns() - begin
        self._look_at = time.monotonic_ns() + max(LOOK_NS, LOOK_SHARE * cost)

    def _pids(self) -> frozenset[int]:
        """Return the process ids of this match: of all bots, of what keeps them, and our own."""
        found = {os.getpid()}
        for bot in (self._bot, *self._others):
            found |= {bot.pid, *bot.tree.members(), *procfs.descendants(bot.pid)}
        for pid in strays(self._spare, alone=self._alone):  # orphans of bots come to us
            found |= {pid, *procfs.descendants(pid)}
        return frozenset(found)


def work_of_others(ours: Collection[int]) -> dict[tuple[int, int], Used]:
    """Return what every living process but ours has used; takes some 10 µs for each.

    Args:
        ours: process ids that do not count.
    """
    found: dict[tuple[int, int], Used] = {}
    for pid in procfs.pids():
        if pid in ours:
            continue
        with contextlib.suppress(OSError, ValueError):
            fields = procfs.stat(pid)
            reaped_ns = sum(map(int, fields[procfs.REAPED])) * procfs.TICK_NS
            own_ns = time.clock_gettime_ns(cpu_clock(pid))  # not in ticks
            found[pid, int(fields[procfs.START])] = Used(
                own_ns, reaped_ns, int(fields[procfs.CORE])
            )
    return found


def work_between(before: Work, after: Work, cores: Collection[int]) -> int:
    """Return the CPU time used between two looks, in ns, on these cores as far as can be told.

    A process counts if it was there at either look; what it has waited for, if it may run there.

    >>> before = {(7, 1): Used(50, 0, 0), (8, 1): Used(60, 0, 0)}
    >>> work_between(before, {(7, 1): Used(70, 0, 5), (9, 2): Used(5, 0, 1)}, {0, 1})
    25
    """
    found = 0
    for who, used in after.items():
        last = before.get(who, Used(0, 0, used.core))
        if used.core in cores or last.core in cores:
            found += max(0, used.own_ns - last.own_ns)
        if used.reaped_ns > last.reaped_ns and may_run(who[0], cores):
            found += used.reaped_ns - last.reaped_ns
    return found


def may_run(pid: int, cores: Collection[int]) -> bool:
    """Return whether a process may use one of these cores."""
    try:
        return not os.sched_getaffinity(pid).isdisjoint(cores)
    except OSError:
        return False
