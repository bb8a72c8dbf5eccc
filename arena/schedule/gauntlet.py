"""Gauntlet: the first ``challengers`` bots of the file against the rest, not against one another.

In a game for n, each meeting is one challenger and n - 1 of the rest. All challengers meet the same
opponents before anybody meets the next ones, so that an interim table compares them fairly.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.model import Record, Tournament
from arena.schedule.blocks import Blocks
from arena.schedule.pairings import Pairings, pairings

__all__ = ["FORMAT", "Gauntlet"]


class Gauntlet:
    """The format; of the order of the bots only matters who the challengers are."""

    name = "gauntlet"
    bot_order_counts = False
    grows_by = frozenset({"rounds", "bots", "games", "stop"})
    keys = frozenset({"rounds", "challengers", "stop"})

    def next_round(
        self,
        tournament: Tournament,
        entrants: tuple[str, ...],
        settled: int,
        records: Iterable[Record],
    ) -> Blocks | None:
        """Return the whole schedule until all of it is settled; see ``interface.Format``."""
        count = tournament.challengers
        challengers, rest = sorted(entrants[:count]), sorted(entrants[count:])
        schedule = Blocks(
            tournament,
            (*challengers, *rest),
            lambda players: _Against(len(challengers), pairings(len(rest), players - 1)),
        )
        return schedule if settled < len(schedule) else None


class _Against:
    """Each challenger with each group of the rest, whose indices follow the challengers'."""

    def __init__(self, challengers: int, groups: Pairings) -> None:
        self._challengers = challengers
        self._groups = groups

    def __len__(self) -> int:
        return self._challengers * len(self._groups)

    def __getitem__(self, index: int) -> tuple[int, ...]:
        group, challenger = divmod(index, self._challengers)
        return (challenger, *(self._challengers + one for one in self._groups[group]))


FORMAT = Gauntlet()
