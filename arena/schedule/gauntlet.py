"""Gauntlet: the first ``challengers`` bots of the file against the rest, not against one another.

In a game for n, each meeting is one challenger and n - 1 of the rest. All challengers meet the same
opponents before anybody meets the next ones, so that an interim table compares them fairly. Of the
order of the bots only matters who the challengers are.
"""

from __future__ import annotations

from arena.schedule.blocks import Blocks, BlocksFormat
from arena.schedule.pairings import Pairings, pairings
from arena.values.model import Tournament


def _schedule(tournament: Tournament, entrants: tuple[str, ...]) -> Blocks:
    count = tournament.challengers
    challengers, rest = sorted(entrants[:count]), sorted(entrants[count:])
    return Blocks(
        tournament,
        (*challengers, *rest),
        lambda players: _Against(len(challengers), pairings(len(rest), players - 1)),
    )


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


FORMAT = BlocksFormat(
    "gauntlet",
    _schedule,
    keys=frozenset({"rounds", "challengers", "stop", "apart"}),
    grows_by=frozenset({"rounds", "bots", "games", "stop"}),
)
