"""Basic actions (rules section 5): which there are, why one is none, what it does.

Contiguity (section 1) and the completion of abilities (6.4) are judged elsewhere, for all actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines.arborius import changes
from engines.arborius.actions import Action
from engines.arborius.cast import ROOT, bits
from engines.arborius.grid import AHEAD, ORIGIN
from engines.arborius.movement import (
    can_land,
    can_play,
    entered,
    go,
    landings,
    open_spots,
    way_out,
)
from engines.arborius.position import DECK, Place, Position, Spot

__all__ = [
    "add_actions",
    "basic_actions",
    "deck",
    "do_basic",
    "refuse_basic",
    "refuse_use",
    "tops",
]


def basic_actions(pos: Position) -> tuple[list[Action], list[int], list[Spot]]:
    """Return the basic actions; of the plays, the tiles and the spots, any on any.

    The order depends on nothing but the position.
    """
    tiles = deck(pos)
    actions: list[Action] = []
    spots: list[Spot] = []
    for tile in tops(pos):
        if tiles and not pos.frozen >> tile & 1:
            spots += open_spots(pos, pos.home[tile], pos.cell[tile])
        add_actions(pos, tile, actions)
    return actions, tiles, spots


def tops(pos: Position) -> Iterator[int]:
    """Yield the actor's uncovered tiles on active boards, in tile order: they may be frozen."""
    boards, homes, cells = pos.boards, pos.home, pos.cell
    for tile in pos.cast.tiles[pos.actor]:
        home = homes[tile]
        if (
            home >= ROOT
            and boards[home][cells[tile]][-1] == tile
            and (home == ROOT or pos.active(home))
        ):
            yield tile


def add_actions(pos: Position, tile: int, actions: list[Action]) -> None:
    """Add what one of the ``tops`` can do; random games spend their time here."""
    if pos.frozen >> tile & 1:
        actions.append(("thaw", tile, 0, 0, 0))
        return
    actions.append(("unplay", tile, 0, 0, 0))
    cells, cell = pos.boards[pos.home[tile]], pos.cell[tile]
    inside, high = pos.boards[tile], len(cells[cell])
    front = cells.get(cell + AHEAD[pos.face[tile]])
    # a move of k tiles starts from high - k: the front is at most one higher
    most = high if front is None else min(high, high + 1 - len(front))
    if most == 1:
        actions.append(("move", tile, 1, 0, 0))
    elif most > 1:
        actions += [("move", tile, count, 0, 0) for count in range(1, most + 1)]
    if front is not None:
        into = front[-1]
        if inside and len(front) < high:
            actions.append(("attack", tile, into, 0, 0))
        if pos.boards[into]:
            actions += [("enter", tile, 1, landing, 0) for landing in landings(pos, tile, into)]
        else:
            actions.append(("enter", tile, 1, ORIGIN, 0))
    if pos.home[tile] != ROOT and way_out(pos, tile) is not None:
        actions.append(("exit", tile, 1, 0, 0))
    ready = pos.cast.usable & ~pos.used
    if inside:
        actions += [("use", tile, p, 0, 0) for p in bits(pos.abilities(tile) & ready)]
    elif ready >> tile & 1:
        actions.append(("use", tile, tile, 0, 0))


def deck(pos: Position) -> list[int]:
    """Return the tiles in the acting player's deck."""
    home = pos.home
    return [tile for tile in pos.cast.tiles[pos.actor] if home[tile] == DECK]


def refuse_basic(pos: Position, action: Action) -> str:
    """Return why an action is none of section 5 here, '' if it is one."""
    verb, tile, _, _, _ = action
    refuse = _REFUSALS.get(verb)
    if refuse is None:
        return f"a turn begins with one of {', '.join(_REFUSALS)}"
    if pos.cast.owner[tile] != pos.actor:
        return f"{pos.cast.ids[tile]} is not yours"
    if verb not in ("play", "thaw") and not pos.enabled(tile):
        return f"{pos.cast.ids[tile]} is not enabled: it must be in play, on top, not frozen"
    return refuse(pos, action)


def refuse_use(pos: Position, action: Action, among: int) -> str:
    """Return why an enabled own tile may not use an ability out of a set, '' if it may."""
    _, tile, printed, _, _ = action
    ids = pos.cast.ids
    if not pos.abilities(tile) >> printed & 1:
        return f"{ids[tile]} has no ability of {ids[printed]}"
    if not among >> printed & 1:
        return f"the ability of {ids[printed]} does not begin in a way that can be used now"
    return f"the ability of {ids[printed]} was used this turn" if pos.used >> printed & 1 else ""


def do_basic(pos: Position, action: Action) -> None:
    """Carry out a basic action other than ``use``; the offer that a play makes is not made yet."""
    verb, tile, number, cell, face = action
    if verb == "play":
        changes.put_in(pos, tile, Place(number, cell, face))
    elif verb == "attack":
        changes.attack(pos, tile, number)
    elif verb == "unplay":
        changes.unplay(pos, (tile,))
    elif verb == "thaw":
        pos.frozen &= ~(1 << tile)
    else:
        go(pos, action)


# Why not


def _refuse_move(pos: Position, action: Action) -> str:
    _, tile, count, _, _ = action
    high = len(pos.stack(tile))
    if not 1 <= count <= high:
        return f"expected 1 to {high} tiles of its stack"
    rise = len(pos.front_stack(tile)) - (high - count)
    return "" if rise <= 1 else f"a stack steps up by at most one, not by {rise}"


def _refuse_attack(pos: Position, action: Action) -> str:
    _, tile, target, _, _ = action
    front = pos.front_stack(tile)
    if not front or front[-1] != target:
        return f"{pos.cast.ids[target]} is not the top tile in front of it"
    if not pos.boards[tile]:
        return "a tile with nothing inside has no attack"
    if len(front) >= len(pos.stack(tile)):
        return f"{pos.cast.ids[target]} does not stand lower than it"
    return ""


def _refuse_enter(pos: Position, action: Action) -> str:
    _, tile, count, cell, _ = action
    if count != 1:
        return "a tile enters alone: expected enter:T:1:x,y"
    into = entered(pos, tile)
    if into is None:
        return "there is no tile in front of it to enter"
    if not can_land(pos, tile, into, cell):
        return (
            f"it lands right behind a stack inside {pos.cast.ids[into]}, or on 0,0 if that is empty"
        )
    return ""


def _refuse_exit(pos: Position, action: Action) -> str:
    _, tile, count, _, _ = action
    if count != 1:
        return "a tile exits alone: expected exit:T:1"
    if way_out(pos, tile) is None:
        return "it is inside no tile, or the stack it would exit to is higher than its container's"
    return ""


def _refuse_unplay(pos: Position, action: Action) -> str:
    return ""  # an enabled tile can always be unplayed, if no board falls apart


def _refuse_play(pos: Position, action: Action) -> str:
    _, tile, board, cell, face = action
    if pos.home[tile] != DECK:
        return f"{pos.cast.ids[tile]} is not in your deck"
    stack = pos.boards[board].get(cell + AHEAD[face])
    if stack is None or not pos.cast.own[pos.actor] >> stack[-1] & 1 or not pos.enabled(stack[-1]):
        return "a tile is played so that it faces an enabled tile of your own"
    return "" if can_play(pos, board, cell) else "a tile may not be played onto an enemy"


def _refuse_thaw(pos: Position, action: Action) -> str:
    tile = action[1]
    if not pos.is_frozen(tile):
        return f"{pos.cast.ids[tile]} is not frozen"
    if not pos.is_top(tile) or not pos.active(pos.home[tile]):
        return f"{pos.cast.ids[tile]} is covered or its board is not active"
    return ""


def _refuse_use(pos: Position, action: Action) -> str:
    return refuse_use(pos, action, pos.cast.usable)


_REFUSALS: dict[str, Callable[[Position, Action], str]] = {
    "move": _refuse_move,
    "attack": _refuse_attack,
    "unplay": _refuse_unplay,
    "play": _refuse_play,
    "enter": _refuse_enter,
    "exit": _refuse_exit,
    "thaw": _refuse_thaw,
    "use": _refuse_use,
}
