"""How long a run waits while something lacks that matches need, and when it tries again.

A match that ended for such a lack would end so again at once. So nothing that needs it is started
for a pause, which gets longer each time; matches that are being played go on. The first match that
is played to its end ends the pauses. After ``END_SECONDS`` without one, there are no more pauses
until one is.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_PAUSE = 0.25  # seconds until the first try; each further pause is twice as long as the last
LONGEST_PAUSE = 15.0
END_SECONDS = 300.0  # without a match played to its end, after which nobody waits any longer


class Patience:
    """Says when a run may start matches.

    Args:
        clock: seconds of a clock that never goes back.
        first: the first pause, in seconds.
        longest: the longest one.
        end: in place of ``END_SECONDS``.
        goes_on: are there pauses after the end, too?

    Attributes:
        waiting: was there a lack, and no match played to its end since?
        pauses: how many there were so far.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        first: float = FIRST_PAUSE,
        longest: float = LONGEST_PAUSE,
        end: float = END_SECONDS,
        goes_on: bool = False,
    ) -> None:
        self._clock = clock
        self._first, self._longest, self._end, self._goes_on = first, longest, end, goes_on
        self.waiting = False
        self.pauses = 0
        self._since = 0.0  # when the lack was first seen
        self._pause = 0.0
        self._until = 0.0  # nothing is started before

    def lacked(self) -> bool:
        """Note that a match was void for a lack; return whether that is to be waited out."""
        now = self._clock()
        if not self.waiting:
            self.waiting, self._since = True, now
        end = self._since + self._end
        if now >= end and not self._goes_on:
            return False
        if now >= self._until:  # the others that were started together learn nothing new
            self.pauses += 1
            self._pause = min(max(self._first, 2 * self._pause), self._longest)
            self._until = now + self._pause if now >= end else min(now + self._pause, end)
        return True

    def played(self) -> None:
        """Note that a match was played to its end: whatever was lacking is there again."""
        self.waiting = False
        self._pause = self._until = 0.0

    def waited(self) -> float:
        """Return for how many seconds there was a lack, 0 if there is none."""
        return self._clock() - self._since if self.waiting else 0.0

    def seconds(self) -> float:
        """Return for how long nothing is to be started, 0 if something may be."""
        return max(0.0, self._until - self._clock()) if self.waiting else 0.0
