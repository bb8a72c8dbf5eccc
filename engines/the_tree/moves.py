"""What a player may do, and what comes of it: going out, extra turns, drawing and passing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engines.core.interface import Event
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.table import OVER, Table
from engines.the_tree.tiles import TILE_OF_WAY, TILE_TEXTS, WAYS_OF_TILE

if TYPE_CHECKING:
    from typing import TypeAlias

    # a position, the player that has to place (``OVER`` if none can), what became known on the way
    # there, and the placements as a set of bits
    Turn: TypeAlias = tuple[Table, int, tuple[Event, ...], int]


def open_placements(table: Table, placements: int) -> Iterator[tuple[int, int]]:
    """Yield anchor and way of placements, in no order that matters."""
    anchors = table.board.anchors
    while placements:
        bit = placements.bit_length() - 1
        placements ^= 1 << bit
        yield anchors[bit >> 6], bit & 63


def refusal(table: Table, player: int, anchor: int, way: int) -> str:
    """Return why a player may not place a tile so, '' if it is legal."""
    tile = TILE_OF_WAY[way]
    if not table.hands[player] & WAYS_OF_TILE[tile]:
        return f"tile {TILE_TEXTS[tile]} is not in the hand of player {player}"
    if not table.board.allows(anchor, way):
        return f"it cannot be placed there: {table.board.objection(anchor, way)}"
    return ""


def place(table: Table, player: int, anchor: int, way: int, *, play_on: bool) -> Turn:
    """Carry out a legal placement, and all that is automatic after it."""
    extra = table.board.earns(anchor)
    board = table.board.copy()
    board.lay(anchor, way)
    hands = list(table.hands)
    hands[player] ^= WAYS_OF_TILE[TILE_OF_WAY[way]]
    placed = (*table.placed, anchor << 6 | way)
    after = Table(board, placed, tuple(hands), table.supply, table.out, table.drops)
    events: list[Event] = []
    if not hands[player]:
        after = after._replace(out=(*table.out, player))
        events.append(Event(None, f"out {player} {len(after.out)}"))
        if after.is_decided(play_on=play_on):
            return after, OVER, tuple(events), 0
        player = after.next_in(player)
    elif extra:
        events.append(Event(None, f"extra {player}"))
    else:
        player = after.next_in(player)
    return begin_turn(after, player, events)


def begin_turn(table: Table, player: int, events: list[Event]) -> Turn:
    """Let players that cannot place draw, if they can, and pass.

    Args:
        table: the position.
        player: the index of the player whose turn begins, who is still in.
        events: what became known before; those of the passes are added.
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
    return table, player, tuple(events), placements


@lru_cache(maxsize=4 * len(TILE_TEXTS))
def _draw_and_pass(player: int, tile: int) -> tuple[Event, ...]:
    """Return what becomes known when a player draws a tile and passes."""
    drew = Event(player, f"drew {TILE_TEXTS[tile]}")
    return Event(None, f"draw {player}"), drew, Event(None, f"pass {player}")
