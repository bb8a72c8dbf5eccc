"""What a position of The Tree is worth: few tiles left, another turn at once, places to play."""

from __future__ import annotations

from engines.core.errors import BadSetup
from engines.core.knowledge import Knowledge, lead
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.core.interface import State

__all__ = ["KNOWLEDGE"]

GAME = 10.0  # a game that is won
TURN = 3.0  # another turn at once
PLACE = 0.3  # a place for a tile in hand, up to MOST
MOST = 40


def worth(state: State, player: int) -> float:
    """Return by how many tiles a player leads, with what turn and places are worth."""
    fields = state.observation(None).split(" ")
    hands = [0 if hand == "-" else hand.count(",") + 1 for hand in fields[1].split("/")]
    others = [tiles for seat, tiles in enumerate(hands) if seat != player]
    value = min(others, default=0) - hands[player] + GAME * lead(state, player)
    if state.players_to_act() == (player,):
        value += TURN
    fields[3] = str(player)
    try:
        own_turn = state.game.new_initial_state(" ".join(fields))
    except BadSetup:  # the game is over, or somebody else must be to act
        return value
    places = own_turn.count_legal(player) if own_turn.players_to_act() == (player,) else 0
    return value + PLACE * min(places, MOST)


KNOWLEDGE = Knowledge(worth=worth)
