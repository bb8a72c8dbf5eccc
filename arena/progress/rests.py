"""Entrants that rest, as they are unable to play, and the matches that wait for them.

A match of an entrant that is unable is as if it had not begun. No match of that entrant is begun
for a pause, which gets longer each time; the first match of it that ends ends that.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from heapq import heappop, heappush

from arena.values.errors import UnableSeat
from arena.values.model import Match
from arena.workers.patience import Patience

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # seconds
SHORTEST_WAIT = 0.001
SAY_SECONDS = 60.0  # between two lines that say what is waited for

log = logging.getLogger(__name__)


class Rests:
    """The entrants of one run that are unable, and the matches that wait.

    Args:
        unable_for: for how many seconds an entrant that is unable is waited for.
        plays: says whether anybody still needs to play a match.
        is_far: says whether a match is too far ahead to be begun while anybody is unable.
        clock: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        unable_for: float,
        plays: Callable[[Match], bool] = lambda match: True,
        is_far: Callable[[Match], bool] = lambda match: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._unable_for, self.clock = unable_for, clock
        self._plays, self._is_far = plays, is_far
        # with the time of day since when, and what each said last
        self._unable: dict[str, tuple[Patience, str, str]] = {}
        # by the entrants that they wait for, each a heap; none: for all matches before them
        self._waiting: dict[tuple[str, ...], list[Match]] = {}
        self._said = -SAY_SECONDS

    def unable(self, found: UnableSeat) -> None:
        """Note that an entrant is unable to play."""
        if found.entrant in self._unable:
            patience, since, _ = self._unable[found.entrant]
        else:
            first, longest, end = FIRST_PAUSE, LONGEST_PAUSE, self._unable_for
            patience = Patience(self.clock, first=first, longest=longest, end=end, goes_on=True)
            since = time.strftime("%H:%M")
        patience.lacked()
        self._unable[found.entrant] = patience, since, found.text

    def played(self, entrants: tuple[str, ...]) -> None:
        """Note that a match of some entrants was played to its end."""
        for name in entrants:
            if self._unable.pop(name, None) is not None:
                log.info("%s plays again", name)

    def begin(self) -> None:
        """Forget the matches that wait: all that are missing will be handed in again."""
        self._waiting.clear()

    def has_to_wait(self, match: Match) -> bool:
        """Return whether a match cannot be begun now; then it is kept here."""
        if not self._unable or not self._plays(match):
            return False
        names = tuple(sorted(filter(self._seconds, match.seats)))
        if not names and not self._is_far(match):
            return False
        heappush(self._waiting.setdefault(names, []), match)
        return True

    @property
    def is_far(self) -> bool:
        """Whether a match waits for all matches before it."""
        return bool(self._waiting.get(()))

    def next(self) -> Match | None:
        """Take the first match that need not wait any longer for those whom it waited for."""
        free = [waiting for names, waiting in self._waiting.items() if self._is_free(names)]
        return heappop(min(free)) if free else None

    def pause(self) -> float | None:
        """Return after how many seconds the first match need not wait any longer, and say why.

        ``None`` if nothing waits, or only for those who were waited for long enough.
        """
        pauses = [
            max(SHORTEST_WAIT, *map(self._seconds, names))  # one may have ended just now
            for names, waiting in self._waiting.items()
            if waiting and names and not any(map(self._is_over, names))
        ]
        if pauses and self.clock() - self._said >= SAY_SECONDS:
            self._said = self.clock()
            for name, why in self.waited_for().items():
                seconds = math.ceil(self._seconds(name))
                log.warning("waiting for %s, %s; next try in %d s", name, why, seconds)
        return min(pauses, default=None)

    def waited_for(self) -> dict[str, str]:
        """Return whom matches wait for, each with since when and why it is unable."""
        names = sorted(
            {name for names, waiting in self._waiting.items() if waiting for name in names}
        )
        unable = {name: self._unable[name] for name in names if name in self._unable}
        return {name: f"unable since {since} ({text})" for name, (_, since, text) in unable.items()}

    def _seconds(self, name: str) -> float:
        return self._unable[name][0].seconds() if name in self._unable else 0.0

    def _is_over(self, name: str) -> bool:
        return name in self._unable and self._unable[name][0].waited() >= self._unable_for

    def _is_free(self, names: tuple[str, ...]) -> bool:
        """Return whether there are matches that wait for these, and the first need not any more."""
        waiting = self._waiting[names]
        if not waiting:
            return False
        if not any(map(self._seconds, names)) and (names or not self._unable):
            return True
        return not self._plays(waiting[0]) or not (names or self._is_far(waiting[0]))
