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
        lambda players: _against(len(challengers), pairings(len(rest), players - 1)),
    )


def _against(challengers: int, groups: Pairings) -> Pairings:
    """Return each challenger with each group of the rest, whose indices follow challengers'."""

    def at(index: int) -> tuple[int, ...]:
        group, challenger = divmod(index, challengers)
        return (challenger, *(challengers + one for one in groups.at(group)))

    return Pairings(challengers * groups.total, at)


FORMAT = BlocksFormat(
    "gauntlet",
    _schedule,
    keys=frozenset({"rounds", "challengers", "stop", "apart"}),
    grows_by=frozenset({"rounds", "bots", "games", "stop"}),
)
