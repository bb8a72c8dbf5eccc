"""Signs that a host goes on with what it was given: the numbers of its match and of its decision.

Dask hears from a host process whatever becomes of its task. So a host says with its heartbeat if
its numbers have stayed the same for too long. Those of a bot that thinks move again when the time
of its decision is up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.match.clock import patience_ms
from arena.values.model import Clock

STILL_SECONDS = 60.0  # that numbers may stay the same, at least


class Doing(NamedTuple):
    """What a host process does.

    Attributes:
        what: it, with numbers that move as long as it goes on.
        within: for how many seconds they may stay the same, if for more than usual.
    """

    what: str = ""
    within: float = 0.0


PREPARING = Doing("preparing bots", 600.0)  # one may be built, or waited for
FETCHING = Doing("fetching bots", 600.0)


def still_seconds(clocks: Sequence[Clock], decisions: int) -> float:
    """Return for how long a match may go on without another decision.

    >>> still_seconds([Clock(move_ms=60_000, first_ms=0)], 4)
    1210.0

    Args:
        clocks: of all players.
        decisions: how many were made.
    """
    limits_ms = [_limit_ms(clock, decisions) for clock in clocks]
    if not decisions:
        limits_ms += [clock.start_ms for clock in clocks]
    return 2 * patience_ms(max(limits_ms)) / 1000


def _limit_ms(clock: Clock, decisions: int) -> int:
    """Return the longest limit of a decision in a match of which so many were made."""
    game_ms = None if clock.main_ms is None else clock.main_ms + clock.inc_ms * decisions
    return min(ms for ms in (clock.move_ms, game_ms) if ms is not None) + clock.first_ms


class Signs:
    """For how long a host has given no sign."""

    def __init__(self) -> None:
        self._last: Doing | None = None
        self._since = 0.0

    def look(self, now: float, doing: Doing | None) -> str:
        """Return a sentence if the host has been silent for too long, else nothing.

        Args:
            now: seconds of a clock that never goes back.
            doing: what it does; ``None``: it has nothing to do.
        """
        if doing != self._last:
            self._last, self._since = doing, now
        still = now - self._since
        if doing is None or still <= max(STILL_SECONDS, doing.within):
            return ""
        return f"no sign of it for {still:.0f} s{doing.what and f', in {doing.what}'}"
