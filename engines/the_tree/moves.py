"""Turns without a placement: drawing and passing."""

from __future__ import annotations

from functools import lru_cache

from engines.core.interface import Event
from engines.the_tree.table import OVER, Table
from engines.the_tree.tiles import TILE_TEXTS, WAYS_OF_TILE


def pass_turns(table: Table, player: int, events: list[Event]) -> tuple[Table, int, int]:
    """Let players that cannot place draw, if they can, and pass.

    Args:
        table: the position.
        player: the index of the player whose turn begins.
        events: what became known before; those of the passes are added.

    Returns:
        The position, the index of the player that has to place (``OVER`` if none can), and its
        placements as a set of bits.
    """
    board, supply, hands = table.board, table.supply, list(table.hands)
    drawn = passes_without_draw = 0
    while not (placements := board.placements(hands[player])):
        if drawn < len(supply):
            tile = supply[drawn]
            drawn += 1
            hands[player] |= WAYS_OF_TILE[tile]
            events += _draw_and_pass(player, tile)
        else:
            passes_without_draw += 1
            events.append(Event(None, f"pass {player}"))
            if passes_without_draw == len(table.still_in()):
                events.append(Event(None, "blocked"))
                player = OVER
                break
        player = table.next_in(player)  # who draws was in before
    if drawn:
        table = table._replace(hands=tuple(hands), supply=supply[drawn:])
    return table, player, placements


@lru_cache(maxsize=4 * len(TILE_TEXTS))
def _draw_and_pass(player: int, tile: int) -> tuple[Event, ...]:
    """Return what becomes known when a player draws a tile and passes."""
    drew = Event(player, f"drew {TILE_TEXTS[tile]}")
    return Event(None, f"draw {player}"), drew, Event(None, f"pass {player}")
