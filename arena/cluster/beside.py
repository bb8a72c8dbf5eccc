"""Workers of this machine beside a cluster: they play what no host may, who asks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from arena.cluster.coordinator import Cluster
from arena.values.model import Match
from arena.workers.gather import Source
from arena.workers.jobs import JobFactory
from arena.workers.local import Workers

AHEAD = 1000  # matches that are put aside for the others, at most
WAIT_SECONDS = 0.02  # for one of the two, before the other is heard
AGAIN_SECONDS = 0.1  # before somebody is asked again who has much put aside


class Beside(Source[Match]):
    """Both together, used as each of them is.

    Args:
        here: workers of this machine, started; their owner stops them.
        there: the cluster, likewise.
        takes_back: takes back a match that cannot be begun now, and returns whether it is one.
    """

    def __init__(self, here: Workers, there: Cluster, takes_back: Callable[[Match], bool]) -> None:
        super().__init__()
        self._here, self._there, self._takes_back = here, there, takes_back
        self._asking: frozenset[str] = frozenset()
        self._aside: tuple[deque[Match], deque[Match]] = (deque(), deque())  # for hosts, for here

    def begin(self, make: JobFactory) -> None:
        """Begin both."""
        self._asking = frozenset(name for name, one in make.entrants.items() if one.bot.asks)
        for aside in (*self._aside, self.results):
            aside.clear()
        self._here.begin(make)
        self._there.begin(make)

    def hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Give each what it has room for; return when ``matches`` is to be asked again."""
        pauses = [
            source.hand_out(partial(self._next, is_here, matches))
            for is_here, source in ((True, self._here), (False, self._there))
            if not (is_here and self.results)  # which may say that the next match has to wait
        ]
        return min([pause for pause in pauses if pause is not None], default=None)

    def _next(
        self, is_here: bool, matches: Callable[[int], Match | float | None], worker: int
    ) -> Match | float | None:
        """Return what one of the two plays next, and put aside what the other is to play."""
        own, others = self._aside[is_here], self._aside[not is_here]
        while True:
            while own:
                if not self._takes_back(match := own.popleft()):
                    return match
            if len(others) >= AHEAD:
                return AGAIN_SECONDS
            found = matches(worker)
            if not isinstance(found, Match):
                return found
            self._aside[not self._asking.isdisjoint(found.seats)].append(found)

    def busy(self) -> bool:
        """Return whether one of them is, or something is put aside."""
        return any(self._aside) or self._here.busy() or self._there.busy()

    def has_room(self) -> bool:
        """Return whether one of them has."""
        return self._here.has_room() or self._there.has_room()

    def wait(self, seconds: float) -> None:
        """Wait for results of either."""
        for source in (self._here, self._there):
            source.wait(min(seconds, WAIT_SECONDS))
            self.results += source.results
            source.results = []

    def check(self) -> None:
        """Look at both."""
        self._here.check()
        self._there.check()
