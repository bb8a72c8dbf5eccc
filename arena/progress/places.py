"""How many matches of an entrant are played at a time, and the matches that wait for a place."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping

from arena.values.model import Entrant, Match

MOST_WAITING = 100  # matches that are put aside, so that others are played before them


class Places:
    """The places of entrants of which only so many matches are played at a time.

    Args:
        entrants: by their names; there may be more of them later.
    """

    def __init__(self, entrants: Mapping[str, Entrant]) -> None:
        self._entrants = entrants
        self._taken: Counter[str] = Counter()
        self._waiting: deque[Match] = deque()

    def begin(self) -> None:
        """Forget what was played and what waits: all that is missing will be handed in again."""
        self._taken.clear()
        self._waiting.clear()

    def has_to_wait(self, match: Match) -> bool:
        """Return whether a match cannot be begun now; then it is kept here."""
        if self._is_free(match):
            return False
        self._waiting.append(match)
        return True

    @property
    def is_full(self) -> bool:
        """Whether so many matches wait that no more are to be looked at."""
        return len(self._waiting) >= MOST_WAITING

    def next(self) -> Match | None:
        """Take the first match that need not wait any longer."""
        for match in self._waiting:
            if self._is_free(match):
                self._waiting.remove(match)
                return match
        return None

    def take(self, match: Match) -> None:
        """Note that a match is begun."""
        for name in self._bounded(match.seats):
            self._taken[name] += 1

    def give_back(self, names: Iterable[str]) -> None:
        """Note that a match of some entrants is over, however it ended."""
        for name in self._bounded(names):
            self._taken[name] -= 1

    def _is_free(self, match: Match) -> bool:
        return all(self._taken[name] < most for name, most in self._bounded(match.seats).items())

    def _bounded(self, names: Iterable[str]) -> dict[str, int]:
        entrants = self._entrants
        return {name: most for name in names if (most := entrants[name].at_once) is not None}
