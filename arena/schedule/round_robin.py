"""Round-robin: every pairing meets ``rounds`` times, in all seatings each time.

An interim table means something, since the pairings are interleaved (``pairings``). The order of
bots and games in the file changes nothing.
"""

from __future__ import annotations

from arena.schedule.blocks import Blocks, BlocksFormat
from arena.schedule.pairings import pairings
from arena.values.model import Tournament


def schedule(tournament: Tournament, entrants: tuple[str, ...]) -> Blocks:
    """Return all matches of a round-robin, in schedule order."""
    names = sorted(entrants)
    return Blocks(tournament, names, lambda players: pairings(len(names), players))


FORMAT = BlocksFormat(
    "round-robin",
    schedule,
    keys=frozenset({"rounds", "stop", "apart"}),
    grows_by=frozenset({"rounds", "bots", "games", "stop"}),
)
