"""How often each kind of block was played → the order-free table."""

from __future__ import annotations

from collections.abc import Mapping

from arena.ratings.intervals import Block, intervals, match_counts
from arena.ratings.order_free import OrderFree, elo
from arena.ratings.table import Table

__all__ = ["make_table"]


def make_table(counts: Mapping[Block, int], digest: str = "") -> Table:
    """Fit a table to how often each kind of block was played."""
    fitted = OrderFree(match_counts(counts))
    ratings = fitted.ratings()
    return Table(
        digest,
        ratings,
        {name: elo(rating.mu) for name, rating in ratings.items()},
        intervals(counts, fitted),
        fitted.draw_probability,
    )
