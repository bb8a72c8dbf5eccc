"""Whether a bot starts one process after the other, so that nobody sees what they use."""

from __future__ import annotations

from collections.abc import Iterable

FINDS = 3  # looks that found a new one


class Helpers:
    """The processes that a bot was found with, look by look."""

    __slots__ = ("_finds", "_known")

    def __init__(self) -> None:
        """Begin: the first look finds nothing new."""
        self._known: frozenset[int] | None = None
        self._finds = 0

    def look(self, found: Iterable[int]) -> None:
        """Look at the process ids that there are now."""
        found = frozenset(found)
        if self._known is not None and not found <= self._known:
            self._finds += 1
        self._known = found

    @property
    def come(self) -> bool:
        """Whether new ones came between looks often enough to say that they come all the time."""
        return self._finds >= FINDS
