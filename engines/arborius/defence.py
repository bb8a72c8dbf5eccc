"""Defend (rules section 7): which abilities a defender may use, and why one is none of them."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import refuse_use
from engines.arborius.cast import bits
from engines.arborius.position import Position

__all__ = ["defences", "refuse_defence"]


def defences(pos: Position) -> list[Action]:
    """Return the uses of abilities in the phase of defence, completion not judged."""
    ready = pos.cast.defending & ~pos.used
    found: list[Action] = []
    for tile in bits(pos.hit & pos.cast.own[pos.actor]):
        if ready and pos.enabled(tile):
            found += [("use", tile, p, 0, 0) for p in bits(ready & pos.abilities(tile))]
    return found


def refuse_defence(pos: Position, action: Action) -> str:
    """Return why an action is no use of an ability in defence, '' if it is one."""
    tile = action[1]
    if not pos.hit & pos.cast.own[pos.actor] & 1 << tile:
        return f"{pos.cast.ids[tile]} did not survive an attack this turn"
    if not pos.enabled(tile):
        return f"{pos.cast.ids[tile]} is not enabled: it must be in play, on top, not frozen"
    return refuse_use(pos, action, pos.cast.defending)
