"""What bots report that their answers cost, along a schedule: where that ends it, and for whom."""

from __future__ import annotations

from collections.abc import Mapping

from arena.values.costs import NO_COSTS, Limits, all_of, reached
from arena.values.tables import MatchRow


class Spending:
    """The sums over a prefix of the schedule; to be given its stored matches, in order.

    Attributes:
        stop: the number of the first match past the end, once all together came to their limit.
    """

    def __init__(self, whole: Limits, each: Mapping[str, Limits]) -> None:
        """Begin before the first match, with the limits of all together, and of some entrants."""
        self.stop: int | None = None
        self._whole, self._each = whole, {name: most for name, most in each.items() if most}
        self._sum = NO_COSTS
        self._sums = dict.fromkeys(self._each, NO_COSTS)

    @property
    def counting(self) -> bool:
        """Whether there is any limit."""
        return bool(self._whole or self._each)

    def add(self, row: MatchRow) -> dict[str, str]:
        """Count the next match; return who came to a limit of its own with it, and why that is."""
        found = {}
        for name, costs in zip(row.entrants, row.costs, strict=False):
            self._sum = all_of([self._sum, costs])
            if name in self._each:
                before, self._sums[name] = self._sums[name], all_of([self._sums[name], costs])
                key = reached(self._sums[name], self._each[name])
                if key and not reached(before, self._each[name]):
                    most = dict(self._each[name])[key]
                    spent = getattr(self._sums[name], key)
                    found[name] = f"its {key} came to {spent:.10g}, of {most:.10g} at most"
        if reached(self._sum, self._whole):
            self.stop = row.number + 1
        return found
