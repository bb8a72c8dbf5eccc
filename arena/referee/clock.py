"""Time controls as arithmetic: the limit of a decision, what it is charged, what is left."""

from __future__ import annotations

from arena.model import Clock

__all__ = ["MAX_LATE", "GameClock"]

MAX_LATE = 3  # the third answer of a match that comes within the margin only is a loss on time


class GameClock:
    """One player's clock during one match. All times are milliseconds of wall time.

    >>> clock = GameClock(Clock(move_ms=1000, first_ms=5000))
    >>> clock.limit(), clock.charge(5400.0), clock.limit()
    (6000, None, 1000)
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

    def charge(self, charged_ms: float) -> None:
        """Book the time of one decision."""
        self._decisions += 1
        if self._left is not None:
            self._left = max(0.0, self._left - charged_ms) + self._clock.inc_ms

    def late_once_more(self) -> bool:
        """Count an answer within the margin; returns whether it is one too many."""
        self._late += 1
        return self._late >= MAX_LATE
