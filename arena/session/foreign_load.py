"""CPU time used by processes outside the match: how much of a bot's wait for a CPU it explains.

A bot whose children end unseen could otherwise pass its own work off as that of other processes.
This changes a verdict only by the time that a bot is charged.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Mapping, Set
from functools import lru_cache
from typing import NamedTuple

from arena.machine import procfs
from arena.match.charging import Spent, doubted_ns
from arena.process.bot import BotProcess, children
from arena.process.meter import busy_ns, cpu_clock
from arena.session.guard import Guard

__all__ = ["ForeignLoad", "Used", "Waits", "sees_others", "work_between", "work_of_others"]

WAITS_NS = 20_000_000  # a bot that has waited for a CPU for so long is not believed all of it
CHECK_NS = 50_000_000  # between looks
FIRST_NAMESPACE = "pid:[4026531836]"  # the same on every machine
CHECK_SHARE = 10  # and at most one part of our CPU time in so many is spent on them


class Used(NamedTuple):
    """What a process and the children it waited for have used so far, in ns; its last core."""

    own_ns: int
    reaped_ns: int
    core: int


Work = Mapping[tuple[int, int], Used]  # by process id and start time


class Waits:
    """Says of each player of a match how much of its wait is not believed."""

    def __init__(
        self,
        guards: Mapping[int, Guard],
        is_asked: Callable[[int], bool],
        spare: frozenset[int],
    ) -> None:
        """Begin.

        Args:
            guards: of the bots in the match, by player; they come and go.
            is_asked: whether a player is to answer now.
            spare: children of this process that are no part of the match.
        """
        self._guards = guards
        self._is_asked = is_asked
        self._spare = spare
        self._loads: dict[int, ForeignLoad] = {}  # of those who wait for a CPU

    def forget(self, player: int) -> None:
        """Begin to believe a player, as it is asked something else."""
        self._loads.pop(player, None)

    def doubted_ns(self, player: int, more_ns: int = 0) -> int:
        """Return how much is not believed; ``more_ns`` is as for ``ForeignLoad``."""
        load = self._loads.get(player)
        return 0 if load is None else load.doubted_ns(more_ns)

    def unsettled_ms(self, player: int, spent: Spent, now: int) -> float:
        """Return how much less a player may turn out to be charged than it seems now.

        That is a wait which the kernel has not counted yet, as far as it would be believed.
        """
        ns = self._guards[player].bot.meter.unsettled_ns(now)
        if ns and player in self._loads:
            ns = min(ns, int((spent.charged_ms - (spent.cpu_ms or 0.0)) * 1e6))
            ns -= self.doubted_ns(player, ns) - self.doubted_ns(player)
        return ns / 1e6

    def watch(self, now: int) -> None:
        """Find the bots that compute unasked, and those that are asked and wait for a CPU."""
        for player, guard in self._guards.items():
            if not self._is_asked(player):
                guard.check_idle(now)
            elif player in self._loads:
                self.doubted_ns(player)  # what others do is seen best if it is looked at often
            elif not guard.ponder and guard.waited_ns() > WAITS_NS:
                self._doubt(player)

    def overdue(self, player: int) -> None:
        """Doubt a player whose time is up as far as the wall clock goes, and stop the others.

        Where all may think at all times that is no fault of theirs, and yet nobody may lose by it.
        """
        self._stop_others()
        self._doubt(player)

    def _doubt(self, player: int) -> None:
        """Believe of a player's wait from now on only what others explain.

        So all others are stopped. While one of them is asked, too, nobody knows who of them does
        what cannot be seen, and all is believed; as it is where a control group counts all.
        """
        bot = self._guards[player].bot
        others = [other for other in self._guards if other != player]
        if player in self._loads or bot.tree.group is not None or any(map(self._is_asked, others)):
            return
        self._stop_others()
        bots = [self._guards[other].bot for other in others]
        self._loads[player] = ForeignLoad(bot, bots, self._spare)

    def _stop_others(self) -> None:
        """Stop the bots of the match that are not asked: they may take the CPU."""
        for player, guard in self._guards.items():
            if not self._is_asked(player):
                guard.stop()


class ForeignLoad:
    """Says how much of one bot's wait is not believed, from when this is made.

    What kept the cores busy that the bot may use, and is the work of no process that can be seen,
    may be the bot's own: the other bots of the match are stopped meanwhile. Where the processes of
    others cannot be seen, all is believed.
    """

    def __init__(
        self, bot: BotProcess, others: Collection[BotProcess], spare: frozenset[int]
    ) -> None:
        """Begin to measure.

        Args:
            bot: who waits.
            others: the other bots of the match.
            spare: children of this process that are no part of the match.
        """
        self._bot = bot
        self._others = others
        self._spare = spare
        self._cores = frozenset(os.sched_getaffinity(0))
        self._waited_before = bot.meter.wait_ns() or 0
        self._work = work_of_others(self._pids())
        self._counted_ns = self._count()
        self._waited_ns = self._unseen_ns = 0
        self._next_check_ns = 0

    def doubted_ns(self, more_ns: int = 0) -> int:
        """Return how much of what the bot has waited so far is not believed.

        Args:
            more_ns: how much longer it may have waited than the kernel says yet.
        """
        if time.monotonic_ns() >= self._next_check_ns:
            self._look()
        return doubted_ns(self._waited_ns + more_ns, self._unseen_ns) if sees_others() else 0

    def _look(self) -> None:
        """See what was done since the last look."""
        begin = time.thread_time_ns()
        work, counted_ns = work_of_others(self._pids()), self._count()
        seen_ns = work_between(self._work, work, self._cores)
        self._unseen_ns += counted_ns - self._counted_ns - seen_ns
        self._work, self._counted_ns = work, counted_ns
        self._waited_ns = (self._bot.meter.wait_ns() or 0) - self._waited_before
        cost = time.thread_time_ns() - begin
        self._next_check_ns = time.monotonic_ns() + max(CHECK_NS, CHECK_SHARE * cost)

    def _count(self) -> int:
        """Return how long the cores were busy with anything but this process and the bots."""
        now = time.monotonic_ns()
        used_ns = sum(bot.meter.cpu_ns(now) for bot in (self._bot, *self._others))
        return busy_ns(self._cores) - used_ns - time.process_time_ns()

    def _pids(self) -> frozenset[int]:
        """Return the process ids of this match: of all bots, of what keeps them, and our own."""
        found = {os.getpid()}
        for bot in (self._bot, *self._others):
            found |= {bot.pid, *bot.tree.members(), *procfs.descendants(bot.pid)}
        for pid in children() - self._spare:  # orphans of bots come to us
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


def work_between(before: Work, after: Work, cores: Set[int]) -> int:
    """Return the CPU time used between two looks, in ns, on these cores as far as is known.

    A process counts if it was there at either look; all together at least for the part of their
    cores that these are, as they move. Of what one has waited for that counts which was not seen
    before, if it may run there.

    >>> before = {(0, 1): Used(50, 0, 0), (8, 1): Used(60, 0, 0)}
    >>> cores = os.sched_getaffinity(0)
    >>> work_between(before, {(0, 1): Used(70, 0, -5), (9, 2): Used(5, 0, -1)}, cores)
    20
    """
    here = share = reaped = 0
    for who, used in after.items():
        last = before.get(who, Used(0, 0, used.core))
        if used == last and who in before:
            continue
        own, part = max(0, used.own_ns - last.own_ns), _part(who[0], cores)
        share += int(own * part)
        if used.core in cores or last.core in cores:
            here += own
        if part:
            reaped += max(0, used.reaped_ns - last.reaped_ns)
    ended = (used for who, used in before.items() if who not in after and used.core in cores)
    unseen = reaped - sum(used.own_ns + used.reaped_ns for used in ended)
    return max(here, share) + max(0, unseen)


def _part(pid: int, cores: Set[int]) -> float:
    """Return which part these are of the cores that a process may use."""
    try:
        its = os.sched_getaffinity(pid)
    except OSError:
        return 0.0
    return len(its & cores) / len(its)


@lru_cache(maxsize=1)
def sees_others() -> bool:
    """Return whether this process can see those of others: in no container, and not hidden."""
    try:
        procfs.stat(1)
        return os.readlink("/proc/self/ns/pid") == FIRST_NAMESPACE
    except OSError:
        return False
