"""Time controls as arithmetic: the limit of a decision, what it is charged, what is left."""

from __future__ import annotations

from arena.model import Clock

__all__ = ["MAX_LATE", "GameClock"]

MAX_LATE = 3  # the third answer of a match that comes within the margin only is a loss on time


class GameClock:
    """One player's clock during one match. All times are milliseconds of wall time.

    >>> clock = GameClock(Clock(move_ms=1000, first_ms=5000))
    >>> clock.limit(), clock.charge(5400.0, 6000), clock.limit()
    (6000, False, 1000)
    """

    __slots__ = ("_clock", "_decisions", "_late", "_left")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._left: float | None = clock.main_ms
        self._decisions = 0
        self._late = 0

    def left(self) -> int | None:
        """Return what is left of the game clock, ``None`` if there is none."""
        return None if self._left is None else int(self._left)

    def limit(self) -> int:
        """Return the limit of the next decision: the smaller of move and left, first added."""
        clock = self._clock
        if self._left is None:
            assert clock.move_ms is not None, "a clock has a limit a move or a game"
            limit = clock.move_ms
        elif clock.move_ms is None or self._left < clock.move_ms:
            limit = int(self._left)
        else:
            limit = clock.move_ms
        return limit if self._decisions else limit + clock.first_ms

    def charge(self, charged_ms: float, limit_ms: int) -> bool:
        """Book a decision that had this limit; returns whether it came after it, in the margin."""
        late = charged_ms > limit_ms
        self._decisions += 1
        self._late += late
        if self._left is not None:
            self._left = max(0.0, self._left - charged_ms) + self._clock.inc_ms
        return late

    def too_often_late(self) -> bool:
        """Return whether the last charged answer was one too many within the margin."""
        return self._late >= MAX_LATE
