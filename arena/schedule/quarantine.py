"""Which entrants are out: taken out by a person, or suspended for their faults.

A bot that never starts would cost its tournament a start limit in every match. After
``max_faults`` ``startup`` faults (or faults of any kind, as the file says) in a row, in schedule
order, its entrant is suspended, and is then out like one that was taken out: none of its matches
count. Everything follows from the complete
prefix of the schedule, so that neither the number of workers nor the order in which matches end
changes who is out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def failures(faults: Iterable[tuple[int, str]], kind: str) -> set[int]:
    """Return the seats whose faults count, of some with their codes: ``startup`` or ``any``."""
    return {seat for seat, code in faults if kind in ("any", code)}


class Quarantine:
    """The count over a prefix of the schedule; to be given every stored match of it, in order.

    Attributes:
        out: everybody who is out.
    """

    def __init__(self, max_faults: int, taken_out: Iterable[str] = ()) -> None:
        """Begin before the first match.

        Args:
            max_faults: how many faults in a row suspend, 1 or more.
            taken_out: who is out from the start.
        """
        assert max_faults > 0
        self.out = set(taken_out)
        self._max_faults = max_faults
        self._in_a_row: dict[str, int] = {}

    @property
    def counting(self) -> bool:
        """Whether anybody's last match was a fault; if not, matches without a fault are no news."""
        return bool(self._in_a_row)

    def add(self, seats: Sequence[str], failed: Collection[int]) -> tuple[str, ...]:
        """Count the next match that was played; return whom it suspends.

        A match of somebody who is out counts neither way, for nobody: whether it was played depends
        on chance.

        Args:
            seats: the entrants, seat 0 first.
            failed: the seats that had a fault that counts.

        >>> quarantine = Quarantine(max_faults=2)
        >>> quarantine.add(("oak", "elm"), {1})
        ()
        >>> quarantine.add(("elm", "oak"), {0})
        ('elm',)
        >>> quarantine.out
        {'elm'}
        """
        if not self.out.isdisjoint(seats):
            return ()
        found = []
        for seat, name in enumerate(seats):
            if seat not in failed:
                self._in_a_row.pop(name, None)
                continue
            count = self._in_a_row[name] = self._in_a_row.get(name, 0) + 1
            if count == self._max_faults:
                del self._in_a_row[name]
                found.append(name)
        self.out.update(found)
        return tuple(found)
