"""What a position of The Tree is worth: few tiles left, another turn at once, places to play."""

from __future__ import annotations

from engines.core.knowledge import Knowledge, lead
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.moves import begin_turn
from engines.the_tree.state import TheTreeState
from engines.the_tree.tiles import tile_count

if TYPE_CHECKING:
    from engines.core.interface import State

__all__ = ["KNOWLEDGE"]

GAME = 10.0  # a game that is won
TURN = 3.0  # another turn at once
PLACE = 0.3  # a place for a tile in hand, up to MOST
MOST = 40


def worth(state: State, player: int) -> float:
    """Return by how many tiles a player leads, with what turn and places are worth."""
    assert isinstance(state, TheTreeState)
    table = state.table
    hands = [tile_count(hand) for hand in table.hands]
    own = hands.pop(player)
    value = min(hands, default=0) - own + GAME * lead(state, player)
    if state.to == player:
        value += TURN
    if table.is_decided(play_on=state.game.play_on) or player not in table.still_in():
        return value
    _, to, _, placements = begin_turn(table, player, [])
    return value + PLACE * min(placements.bit_count(), MOST) if to == player else value


KNOWLEDGE = Knowledge(worth=worth)
