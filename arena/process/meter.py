"""CPU time and waiting time as the kernel counts them, read through descriptors that stay open.

Asked for every decision, so it has to be cheap: the CPU clock of a process (0.5 µs) covers all its
threads, those that have ended, too; ``schedstat`` (1 to 3 µs) says how long the main thread waited
for a CPU. Children are looked for only now and then, as that means to walk through the tree (some
40 µs). Where the bot has a control group, that knows what all have used, at 2 µs.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from functools import lru_cache
from pathlib import Path

from arena.machine import procfs
from arena.machine.procfs import TICK_NS
from arena.process.tree import Tree
from arena.sandbox.cgroups.group import Group

WALK_NS = 5_000_000  # between two walks through a tree
GROUP_NS = 1_000_000  # between two looks at a control group, which take 3 µs
TICKS = 2  # one of user and one of system time
WALK_SHARE = 50  # and at most one part of the time in so many is spent on walks
FOREVER_NS = 1 << 62
UNOPENED, CLOSED = -1, -2  # in place of a descriptor


class Meter:
    """Reads what one bot's processes have used. It opens nothing before it is first read.

    Attributes:
        last_wait_ns: how long the main thread had waited when that was last read.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._main = 0  # the bot's own first process, 0 while it is not known
        self._clock = 0
        self._schedstat = UNOPENED
        self._others_ns = 0  # all but what the main process itself has used, at the last walk
        # what each member had used at the last walk, by its id and start: itself, and by children
        # that it had waited for
        self._members: dict[tuple[int, bytes], tuple[int, int]] = {}
        self._gone_ns = 0  # of what ended, and nobody waited for it
        self._late_ns = 0  # of the same what may only not be counted yet
        self._walk_at = 0
        self._cpu_ns = 0
        self.last_wait_ns = 0 if schedstat_works() else None
        self._seen: tuple[int, bytes] | None = None  # the main thread's counters, and when

    def wait_ns(self) -> int | None:
        """Return how long the main thread has waited so far, or had when the bot ended."""
        if self._main and self.last_wait_ns is not None:
            # it has ended if this fails
            with contextlib.suppress(OSError):
                self.last_wait_ns = int(self._read_schedstat().split()[1])
        return self.last_wait_ns

    def cpu_ns(self, now: int) -> int:
        """Return the CPU time used so far; what was read last if the bot has ended.

        Args:
            now: ns of the monotonic clock. What children used is at most about 5 ms old.
        """
        if now >= self._walk_at:  # as it is before the first walk, too
            self.walk()
            if not self._main:
                return 0
        try:
            found = time.clock_gettime_ns(self._clock) + self._others_ns
        except OSError:
            return self._cpu_ns
        # a child that ends is counted in ticks from then on, a little less than before
        if found > self._cpu_ns:
            self._cpu_ns = found
        return self._cpu_ns

    def walk(self) -> None:
        """Look for children and count what they used, and what those that have ended did."""
        if not self._main:
            main = self._tree.main()
            if main is None:
                return
            self._main, self._clock = main, cpu_clock(main)
        if self._tree.group is not None:
            with contextlib.suppress(OSError):
                self._ask_group(self._tree.group)
                return
        begin = time.thread_time_ns()  # a wait for a CPU during a walk must not delay the next one
        tree, found = self._tree, dict[tuple[int, bytes], tuple[int, int]]()
        # what has ended first: who ends between the two is then missed once, not counted twice
        try:
            stat = tree.stat(self._main)
        except OSError:
            return  # it has ended, and what it had used is known as far as it ever will be
        found[self._main, stat[procfs.START]] = 0, _reaped_ns(stat)
        alone = tree.is_alone(threads=int(stat[procfs.THREADS]))
        for pid in () if alone else tree.members()[1:]:
            with contextlib.suppress(OSError):
                stat = procfs.stat(pid)
                used_ns = time.clock_gettime_ns(cpu_clock(pid))
                found[pid, stat[procfs.START]] = used_ns, _reaped_ns(stat)
        if tree.init > 0:
            with contextlib.suppress(OSError):
                stat = procfs.stat(tree.init)
                found[tree.init, stat[procfs.START]] = 0, _reaped_ns(stat)
        self._count_gone(found)
        self._members = found
        self._others_ns = sum(map(sum, found.values())) + self._gone_ns + self._late_ns
        cost = time.thread_time_ns() - begin
        self._walk_at = time.monotonic_ns() + max(WALK_NS, WALK_SHARE * cost)

    def _count_gone(self, found: dict[tuple[int, bytes], tuple[int, int]]) -> None:
        """Keep counting what is gone as it was last seen, as far as nobody has waited for it.

        Who waits for a child is charged for it. That may be seen one walk later, as the parent is
        read first, and ``TICKS`` of it even later: it is counted in ticks of user and system time.
        One that lives and was only missed, as the kernel lists children while others end, stays.
        """
        before = self._members
        for pid, start in [who for who in before if who not in found]:
            with contextlib.suppress(OSError):
                stat = procfs.stat(pid)
                if stat[procfs.START] == start and stat[procfs.STATE] not in procfs.DEAD:
                    used_ns = time.clock_gettime_ns(cpu_clock(pid))
                    found[pid, start] = used_ns, _reaped_ns(stat)
        gone_ns = sum([sum(used) for who, used in before.items() if who not in found])
        grown_ns = sum(
            [max(0, reaped - before.get(who, (0, 0))[1]) for who, (_, reaped) in found.items()]
        )
        left_ns = max(0, self._late_ns + gone_ns - grown_ns)
        self._late_ns = min(left_ns, gone_ns + TICKS * TICK_NS)
        self._gone_ns += left_ns - self._late_ns

    def _ask_group(self, group: Group) -> None:
        """Count what the group has used without the main process.

        In this order: what the main process uses between the two is missed until the next time,
        and nothing counts twice.
        """
        used = group.cpu_ns()
        self._others_ns = max(self._others_ns, used - time.clock_gettime_ns(self._clock))
        self._walk_at = time.monotonic_ns() + GROUP_NS

    def begin(self) -> None:
        """Forget the last look at the main thread: another decision begins."""
        self._seen = None

    def open_wait_ns(self, now: int) -> int:
        """Return how much waiting of the main thread may not have been counted yet.

        The kernel counts a wait when it ends. So of a thread that is ready to run nobody knows how
        long it has been waiting, but by looking again: if it had a CPU between two looks, all waits
        before that are counted. A thread that sleeps waits for nothing.
        """
        try:
            ready = procfs.stat(self._main)[procfs.STATE] == b"R"
            had = self._read_schedstat()
        except OSError:
            return 0
        last, self._seen = self._seen, (now, had)
        if not ready:
            return 0
        if last is None or last[1] == had:
            return FOREVER_NS
        return max(0, now - last[0] - (int(had.split()[0]) - int(last[1].split()[0])))

    def close(self) -> None:
        """Close the descriptor; what was read last stays."""
        if self._schedstat >= 0:
            os.close(self._schedstat)
        self._schedstat = CLOSED

    def _read_schedstat(self) -> bytes:
        """Return the main thread's counters; the file is opened once they are wanted.

        Raises:
            OSError: it has ended.
        """
        if self._schedstat == UNOPENED:
            path = f"/proc/{self._main}/task/{self._main}/schedstat"
            self._schedstat = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._schedstat, 64, 0)


class OwnMeter:
    """Reads what the thread that makes it has used: how late we are ourselves."""

    __slots__ = ("_schedstat",)

    def __init__(self) -> None:
        me = f"/proc/{os.getpid()}/task/{threading.get_native_id()}/schedstat"
        self._schedstat = os.open(me, os.O_RDONLY) if schedstat_works() else -1

    def read(self) -> tuple[int, int]:
        """Return the CPU time and the time spent waiting for a CPU, in ns; the latter 0 if unknown.

        To be called in that thread.
        """
        if self._schedstat < 0:
            return time.thread_time_ns(), 0
        words = os.pread(self._schedstat, 64, 0).split()
        return int(words[0]), int(words[1])

    def close(self) -> None:
        """Close the descriptor."""
        if self._schedstat >= 0:
            os.close(self._schedstat)
            self._schedstat = -1


@lru_cache(maxsize=1)
def schedstat_works() -> bool:
    """Return whether this kernel says how long a thread waited for a CPU.

    One without ``CONFIG_SCHED_INFO`` has no such file, or writes zeros into it. Then bots are
    charged for wall time alone.
    """
    words = procfs.text_of(Path("/proc/self/schedstat")).split()
    return len(words) >= 2 and int(words[0]) > 0


def _reaped_ns(stat: list[bytes]) -> int:
    """Return the CPU time of a process's children that have ended and were waited for."""
    return sum(map(int, stat[procfs.REAPED])) * TICK_NS


def cpu_clock(pid: int) -> int:
    """Return the id of a process's CPU clock for ``clock_gettime``."""
    return (~pid << 3) | 2
