"""Round-robin: every pairing meets ``rounds`` times, in all seatings each time.

An interim table means something, since the pairings are interleaved (``pairings``). There is one
round, which holds the whole schedule (``blocks``).
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.model import Record, Tournament
from arena.schedule.blocks import Blocks
from arena.schedule.pairings import pairings

__all__ = ["FORMAT", "RoundRobin", "Schedule"]


class RoundRobin:
    """The format; the order of bots and games in the file changes nothing."""

    name = "round-robin"
    bot_order_counts = False
    grows_by = frozenset({"rounds", "bots", "games", "stop"})
    keys = frozenset({"rounds", "stop"})

    def next_round(
        self,
        tournament: Tournament,
        entrants: tuple[str, ...],
        settled: int,
        records: Iterable[Record],
    ) -> Schedule | None:
        """Return the whole schedule until all of it is settled; see ``interface.Format``."""
        schedule = Schedule(tournament, entrants)
        return schedule if settled < len(schedule) else None


class Schedule(Blocks):
    """All matches of a round-robin, in schedule order."""

    def __init__(self, tournament: Tournament, entrants: tuple[str, ...]) -> None:
        names = sorted(entrants)
        super().__init__(tournament, names, lambda players: pairings(len(names), players))


FORMAT = RoundRobin()
