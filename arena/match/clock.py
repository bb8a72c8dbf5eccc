"""Time controls as arithmetic: the limit of a decision, what it is charged, what is left."""

from __future__ import annotations

import math

from arena.match.charging import Spent
from arena.values.model import Clock

MAX_LATE = 3  # the third answer of a match that is charged more than its limit is a loss on time
STARVED_TIMES = 10  # how far a deadline moves for a bot that gets no CPU: so many limits
STARVED_MORE_MS = 5000  # and so much
STEP_MS = 2.0  # between looks at a bot that may be over its limit at any moment


class GameClock:
    """One player's clock during one match. All times are milliseconds that were charged.

    >>> clock = GameClock(Clock(move_ms=1000, first_ms=5000))
    >>> clock.limit_ms, clock.charge(5400.0), clock.limit_ms
    (6000, None, 1000)

    Attributes:
        left_ms: what is left of the game clock, ``None`` if there is none.
        limit_ms: of the next decision: the smaller of move and left, first added.
        constant: whether ``limit_ms`` stays the same from now on, whatever is charged.
    """

    __slots__ = ("_inc", "_late", "_left", "_move", "constant", "left_ms", "limit_ms")

    def __init__(self, clock: Clock) -> None:
        assert (clock.main_ms, clock.move_ms) != (None, None), "there is a limit a move or a game"
        self._move: float = math.inf if clock.move_ms is None else clock.move_ms
        self._left: float = math.inf if clock.main_ms is None else clock.main_ms
        self._inc = clock.inc_ms
        self._late = 0
        self.left_ms = clock.main_ms
        self.limit_ms = int(min(self._left, self._move)) + clock.first_ms
        self.constant = False

    def charge(self, charged_ms: float) -> None:
        """Book the time of one decision, to the microsecond, as the record keeps it."""
        if self.left_ms is None:
            self.limit_ms = int(self._move)
            self.constant = True
        else:
            self._left = max(0.0, self._left - round(charged_ms, 3)) + self._inc
            self.left_ms = int(self._left)
            self.limit_ms = int(min(self._left, self._move))

    def late_once_more(self) -> bool:
        """Count an answer charged more than its limit; returns whether it is one too many."""
        self._late += 1
        return self._late >= MAX_LATE


def patience_ms(limit_ms: int) -> int:
    """Return the wall time, as far as the arena listened, after which a decision's time is up."""
    return STARVED_TIMES * limit_ms + STARVED_MORE_MS


def more_ms(limit_ms: int, spent: Spent, least_ms: float, *, cores: int) -> float:
    """Return for how long to wait on for a player whose limit and margin have passed.

    The start has a limit of its own, and no margin.

    Args:
        limit_ms: of the decision.
        spent: what it took so far.
        least_ms: the least that it may turn out to be charged for that, if it waits for a CPU now.
        cores: on how many its processes can run at a time.

    Returns:
        Milliseconds, after which to look again; 0 if its time is up.
    """
    left_ms = patience_ms(limit_ms) - spent.wall_ms
    if left_ms <= 0 or least_ms > limit_ms:
        return 0.0
    # it cannot be charged for more than all its cores give
    soonest_ms = (limit_ms - spent.charged_ms) / cores
    return min(left_ms, max(STEP_MS, soonest_ms))
