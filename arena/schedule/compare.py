"""Compare: the first entrant against the others, block after block, as long as it takes.

As many entrants as the game has players make one pairing, whose blocks are a round-robin's: one
deal in all seatings. What stops it before ``rounds`` blocks is decided from the results.
"""

from __future__ import annotations

from arena.schedule.blocks import BlocksFormat
from arena.schedule.round_robin import schedule

MOST_BLOCKS = 100_000  # of a sequential test whose file gives no `rounds`

FORMAT = BlocksFormat(
    "compare",
    schedule,
    keys=frozenset({"rounds", "stop"}),
    grows_by=frozenset({"rounds"}),
    bot_order_counts=True,  # the first is the one that is compared
)
