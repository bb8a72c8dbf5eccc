"""One game of uniformly random moves, on one table from where it stands to the end."""

from __future__ import annotations

from engines.build_your_arboretum.bids import count_bids, nth_bid
from engines.build_your_arboretum.moves import count_moves, do, nth_move
from engines.build_your_arboretum.table import BID, OVER, PLAY, Table
from engines.core.chance import below
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random


def play_out(table: Table, rng: random.Random) -> None:
    """Play to the end, changing the table; both bids of a round are drawn at once."""
    while table.phase != OVER:
        if table.phase == PLAY:
            player = table.turns[0] >> 1
            do(table, player, nth_move(table, player, below(rng, count_moves(table, player))))
        elif table.phase == BID:
            for player in (0, 1):
                if table.bids[player] is None:
                    usable = table.usable(player)
                    table.make_bid(player, nth_bid(usable, below(rng, count_bids(usable))))
        else:
            table.choose_first(below(rng, 2))
