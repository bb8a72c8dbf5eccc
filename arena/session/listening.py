"""For how long the arena did not listen to the bots, which no bot is charged for.

From one poll to the next nobody listens, for as long as that takes beyond the poll itself. When an
answer is heard, or a deadline looked at, all of the last such gap counts: the bot may have done its
part long before. Of earlier gaps only that counts which was neither the arena's own CPU time nor
its wait for a CPU: the process was stopped, the machine suspended, a disk slow.
"""

from __future__ import annotations

import time

from arena.process.meter import OwnMeter

__all__ = ["UnheardTime"]

MIND_NS = 1_000_000  # a shorter delay needs no explanation


class UnheardTime:
    """Follows the polls of one match. Times are ns of the monotonic clock.

    Attributes:
        last: when the last poll returned.
        gap_ns: for how long nobody had listened then.
    """

    __slots__ = ("_lost_ns", "_own", "_read", "_unexplained_ns", "_used", "gap_ns", "last")

    def __init__(self, own: OwnMeter) -> None:
        """Begin; ``own`` is the meter of the thread that plays."""
        self.last = time.monotonic_ns()
        self.gap_ns = 0
        self._own = own
        self._used = own.read()
        self._read = False  # was it at the last poll?
        self._lost_ns = self._unexplained_ns = 0  # of all gaps before the last one, and of that

    def begin(self, since: int) -> None:
        """Begin to wait for bots: the first of them was asked at ``since``."""
        self._lost_ns += self._unexplained_ns
        self._unexplained_ns = self.gap_ns = 0
        self._read = False
        self._used = self._own.read()
        self.last = since

    def woke(self, polled: int, now: int, timeout_ns: int) -> None:
        """Take note of a poll that began at ``polled`` and returned ``now``.

        It would have woken us at the latest after ``timeout_ns``.
        """
        self._lost_ns += self._unexplained_ns
        self._unexplained_ns = 0
        gap_ns = polled - self.last + max(0, now - polled - timeout_ns)
        if self._read or gap_ns > MIND_NS:
            own_ns = self.own_ns()
            if gap_ns - own_ns > MIND_NS:
                self._unexplained_ns = gap_ns - own_ns
            if self._read:  # we may have been ready to run before the poll's time was over
                gap_ns = max(gap_ns, min(own_ns, now - self.last))
        self.last, self.gap_ns = now, gap_ns

    def own_ns(self) -> int:
        """Return our CPU time and wait for a CPU since this was last asked."""
        before, self._used = self._used, self._own.read()
        return sum(self._used) - sum(before)

    def measure(self) -> None:
        """Measure at every poll from now on."""
        self._used, self._read = self._own.read(), True

    def lost_ns(self) -> int:
        """Return what counts of all gaps so far, to be compared with ``unheard_ns`` later."""
        return self._lost_ns + self._unexplained_ns

    def unheard_ns(self, before_ns: int, start: int) -> int:
        """Return how much of the time since ``start`` does not count.

        ``before_ns`` is what ``lost_ns`` was then.
        """
        since_start = self.last - max(start, self.last - self.gap_ns)
        return self._lost_ns - before_ns + max(0, since_start)
