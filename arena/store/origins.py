"""Which matches came from a bundle, and from which: ranges of arrivals that ``carried`` wrote."""

from __future__ import annotations

from bisect import bisect_right

from arena.database.sqlite import Database
from arena.values.tables import Origin

COLUMNS = ("first", "last", "tournament", "bundle", "file", "at")


class Origins:
    """Where the matches of a tournament came from, or, in a row below 0, the tournament itself."""

    def __init__(self, database: Database, tournament: int) -> None:
        self._firsts: list[int] = []
        self._found: list[tuple[int, Origin]] = []
        rows = database.rows(
            f"SELECT {', '.join(COLUMNS)} FROM carried WHERE tournament = ? ORDER BY first",
            (tournament,),
        )
        for first, last, _, *origin in rows:
            self._firsts.append(first)
            self._found.append((last, Origin._make(origin)))

    @property
    def first(self) -> Origin | None:
        """Where the first of it came from; ``None``: all of it is of this home."""
        return self._found[0][1] if self._found else None

    def of(self, arrival: int) -> Origin | None:
        """Return the origin of the match that arrived so; ``None``: it was played here."""
        place = bisect_right(self._firsts, arrival) - 1
        if place < 0 or arrival > self._found[place][0]:
            return None
        return self._found[place][1]
