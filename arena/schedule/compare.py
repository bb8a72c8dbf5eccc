"""Compare: the first entrant against the others, block after block, as long as it takes.

As many entrants as the game has players make one pairing, whose blocks are a round-robin's: one
deal in all seatings. What stops it before ``rounds`` blocks is decided from the results.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.model import Record, Tournament
from arena.schedule.round_robin import Schedule

__all__ = ["FORMAT", "MOST_BLOCKS", "Compare"]

MOST_BLOCKS = 100_000  # of a sequential test whose file gives no `rounds`


class Compare:
    """The format; the first bot in the file is the one that is compared."""

    name = "compare"
    bot_order_counts = True
    grows_by = frozenset({"rounds"})
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


FORMAT = Compare()
