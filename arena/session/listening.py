"""For how long the arena did not listen to the bots, which no bot is charged for.

From one poll to the next nobody listens, for as long as that takes beyond the poll itself. What of
that counts, ``arena/match/charging.py`` says: it is the ``unheard_ns`` there.
"""

from __future__ import annotations

import time

from arena.process.meter import OwnMeter

MIND_NS = 1_000_000  # a shorter delay needs no explanation


class UnheardTime:
    """Measures for how long the arena did not listen to the bots of a match, poll by poll.

    Times are ns of the monotonic clock.
    """

    __slots__ = ("_at", "_last_ns", "_measures", "_own", "_stays_ns", "_total_ns", "_used")

    def __init__(self, own: OwnMeter) -> None:
        """Begin; ``own`` is the meter of the thread that plays."""
        self._own = own
        self._total_ns = self._stays_ns = 0  # before the last poll; what that one leaves
        self.begin(time.monotonic_ns())

    def begin(self, since: int) -> None:
        """Begin to wait for bots: the first of them was asked at ``since``."""
        self._total_ns += self._stays_ns
        self._stays_ns = self._last_ns = 0
        self._at = since  # when the last poll returned
        self._used = self._own.read()
        self._measures = False  # was our own time read at the last poll?

    def woke(self, polled: int, now: int, timeout_ns: int) -> None:
        """Take note of a poll that began at ``polled`` and returned ``now``.

        It would have woken us at the latest after ``timeout_ns``.
        """
        self._total_ns += self._stays_ns
        self._stays_ns = 0
        unheard_ns = polled - self._at + max(0, now - polled - timeout_ns)
        if self._measures or unheard_ns > MIND_NS:
            before, self._used = self._used, self._own.read()
            own_ns = sum(self._used) - sum(before)
            if unheard_ns - own_ns > MIND_NS:
                self._stays_ns = unheard_ns - own_ns
            if self._measures:  # we may have been ready to run before the poll's time was over
                unheard_ns = max(unheard_ns, min(own_ns, now - self._at))
        self._at, self._last_ns = now, unheard_ns

    def measure(self) -> None:
        """Measure at every poll from now on."""
        self._used, self._measures = self._own.read(), True

    def total_ns(self) -> int:
        """Return what counts of this match so far, to be given to ``unheard_ns`` later."""
        return self._total_ns + self._stays_ns

    def unheard_ns(self, before_ns: int, start: int) -> int:
        """Return how much of the time since ``start`` does not count.

        ``before_ns`` is what ``total_ns`` was then.
        """
        since_start = self._at - max(start, self._at - self._last_ns)
        return self._total_ns - before_ns + max(0, since_start)
