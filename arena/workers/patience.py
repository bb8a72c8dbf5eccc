"""How long a run waits while this machine lacks what matches need, and when it tries again.

A match that is void for such a lack would be void again at once. So nothing is started for a pause,
which gets longer each time; matches that are being played go on. The first match that is played to
its end ends the pauses. After ``END_SECONDS`` without one, there are no more pauses until one is.
"""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["END_SECONDS", "Patience"]

FIRST_PAUSE = 0.25  # seconds until the first try; each further pause is twice as long as the last
LONGEST_PAUSE = 15.0
END_SECONDS = 300.0  # without a match played to its end, after which nobody waits any longer


class Patience:
    """Says when a run may start matches.

    Args:
        clock: seconds of a clock that never goes back.

    Attributes:
        waiting: was there a lack, and no match played to its end since?
        pauses: how many there were so far.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
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
        if now - self._since >= END_SECONDS:
            return False
        if now >= self._until:  # the others that were started together learn nothing new
            self.pauses += 1
            self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
            self._until = min(now + self._pause, self._since + END_SECONDS)
        return True

    def played(self) -> None:
        """Note that a match was played to its end: whatever was lacking is there again."""
        self.waiting = False
        self._pause = self._until = 0.0

    def seconds(self) -> float:
        """Return for how long nothing is to be started, 0 if something may be."""
        return max(0.0, self._until - self._clock()) if self.waiting else 0.0
