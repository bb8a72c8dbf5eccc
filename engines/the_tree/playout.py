"""Uniform random play to the end on one board that changes: the fast path of playouts."""

from __future__ import annotations

from engines.core.typed import TYPE_CHECKING
from engines.the_tree.grid import EARNS, IN_SLOTS, nth_bit
from engines.the_tree.table import OVER, Table
from engines.the_tree.tiles import TILE_OF_WAY, WAYS_OF_TILE

if TYPE_CHECKING:
    import random


def play_out(table: Table, to: int, play_on: bool, rng: random.Random) -> Table:
    """Play uniformly random legal placements until the game is over; the last position.

    The rules are those of ``state``, without events and without a position for each action.
    """
    board = table.board.copy()
    placed = list(table.placed)
    hands = list(table.hands)
    supply = list(reversed(table.supply))
    out = list(table.out)
    after = {p: table.next_in(p) for p in table.still_in()} if to != OVER else {}
    passes_without_draw = 0
    # Board.placements, Board.earns and chance.below are written out: 3.7 us an action, not 3.9
    codes, anchors, getrandbits = board.codes, board.anchors, rng.getrandbits
    while to != OVER:
        placements = board.frontier & hands[to] * IN_SLOTS[len(anchors)]
        if not placements:
            if supply:
                hands[to] |= WAYS_OF_TILE[supply.pop()]
                passes_without_draw = 0
            else:
                passes_without_draw += 1
                if passes_without_draw == len(after):
                    break
            to = after[to]
            continue
        passes_without_draw = 0
        count = placements.bit_count()
        size = count.bit_length()
        n = getrandbits(size)
        while n >= count:
            n = getrandbits(size)
        bit = nth_bit(placements, n)
        anchor = anchors[bit >> 6]
        way = bit & 63
        extra = EARNS[codes[anchor]][codes[anchor + 1]]
        board.lay(anchor, way)
        placed.append(anchor << 6 | way)
        hands[to] ^= WAYS_OF_TILE[TILE_OF_WAY[way]]
        if not hands[to]:
            out.append(to)
            following = after.pop(to)
            for p, q in after.items():
                if q == to:
                    after[p] = following
            if not play_on or len(after) <= (1 if len(hands) > 1 else 0):
                break
            to = following
        elif not extra:
            to = after[to]
    return table._replace(
        board=board,
        placed=tuple(placed),
        hands=tuple(hands),
        supply=tuple(reversed(supply)),
        out=tuple(out),
    )
