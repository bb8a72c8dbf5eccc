"""Who is suspended: entrants whose bots failed to start too often in a row, in schedule order.

A bot that never starts would cost its tournament a start limit in every match. After
``max_faults`` ``startup`` faults in a row its entrant is suspended: all its later matches are
forfeits that nobody plays. Everything follows from the complete prefix of the schedule, so that
neither the number of workers nor the order in which matches end changes who plays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["Quarantine"]


class Quarantine:
    """The count over a prefix of the schedule; to be given every match of it, in order.

    Attributes:
        suspended: every suspended entrant, with the number of the match that was its last fault in
            a row. Matches with larger numbers are not played.
    """

    def __init__(self, max_faults: int) -> None:
        """Begin before the first match.

        Args:
            max_faults: how many faults in a row suspend, 1 or more.
        """
        assert max_faults > 0
        self.suspended: dict[str, int] = {}
        self._max_faults = max_faults
        self._in_a_row: dict[str, int] = {}

    @property
    def counting(self) -> bool:
        """Whether anybody's last match was a fault; if not, matches without a fault are no news."""
        return bool(self._in_a_row)

    def away(self, number: int, seats: Sequence[str]) -> tuple[int, ...]:
        """Return the seats of those who were suspended by a match with a smaller number."""
        if not self.suspended:
            return ()
        since = self.suspended
        return tuple([seat for seat, name in enumerate(seats) if since.get(name, number) < number])

    def add(self, number: int, seats: Sequence[str], failed: Collection[int]) -> tuple[str, ...]:
        """Count the next match that was played; return whom it suspends.

        A match that nobody played changes nothing and is left out: a forfeit of somebody who is
        suspended, and one that is undecided.

        Args:
            number: its place in the schedule.
            seats: the entrants, seat 0 first; none of them is suspended.
            failed: the seats that had a ``startup`` fault.

        >>> quarantine = Quarantine(max_faults=2)
        >>> quarantine.add(0, ("oak", "elm"), {1})
        ()
        >>> quarantine.add(1, ("elm", "oak"), {0})
        ('elm',)
        >>> quarantine.away(2, ("oak", "elm"))
        (1,)
        """
        found = []
        for seat, name in enumerate(seats):
            if seat not in failed:
                self._in_a_row.pop(name, None)
                continue
            count = self._in_a_row[name] = self._in_a_row.get(name, 0) + 1
            if count == self._max_faults:
                del self._in_a_row[name]
                self.suspended[name] = number
                found.append(name)
        return tuple(found)
