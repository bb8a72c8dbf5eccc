"""Basic actions (rules section 5): which there are, why one is none, what it does.

The completion of abilities (6.4) is judged elsewhere, and so is contiguity (section 1) unless it is
asked for.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from functools import lru_cache

from engines.arborius.actions import Action
from engines.arborius.cast import ROOT, bits
from engines.arborius.changes import (
    attack,
    can_land,
    can_play,
    entered,
    go,
    landings,
    open_spots,
    put_in,
    unplay,
    way_out,
)
from engines.arborius.grid import AHEAD, LINKED
from engines.arborius.position import DECK, MOST_USED, Basics, Board, Place, Position, Spot

# the tile on top of a stack, the height of that stack (0 if the tile is frozen), the stack in front
# of it, and the abilities that it may use
Top = tuple[int, int, tuple[int, ...], int]


def has_simple(pos: Position) -> bool:
    """Return whether some tile of the player to act may be thawed or unplayed."""
    for tile in pos.cast.tiles[pos.actor]:
        home = pos.home[tile]
        if home < ROOT:
            continue
        cells, cell = pos.boards[home], pos.cell[tile]
        stack = cells[cell]
        if stack[-1] != tile or (home != ROOT and not pos.active(home)):
            continue
        if pos.frozen >> tile & 1 or len(stack) > 1 or not cells.splits(cell):
            return True
    return False


def basic_actions(pos: Position) -> Basics:
    """Return the basic actions at the start of a turn; plays are given by their tiles and spots.

    Any of these tiles may be played on any of the spots. The order depends on nothing but the
    position. Whether the ability of a use can be completed is not judged.
    """
    tops, _, tiles = places(pos)
    boards = pos.boards
    actions: list[Action] = []
    spots: list[Spot] = []
    add = actions.append
    for tile, high, front, usable in tops:
        if not high:
            add(("thaw", tile, 0, 0, 0))
            continue
        home, cell = pos.home[tile], pos.cell[tile]
        if tiles:
            spots += open_spots(pos, home, cell)
        cells, ahead = boards[home], cell + AHEAD[pos.face[tile]]
        can_empty = LINKED[cells.rings[cell]] or not cells.splits(cell)
        can_step = can_empty if front else not cells.splits(cell, ahead)
        may_leave = can_empty or high > 1
        goal = len(front)
        actions += _ways(tile, high, goal, may_leave, can_step)
        if front:
            into = front[-1]
            if boards[tile] and high > goal and not _opens(pos, tile, into, cells, ahead):
                add(("attack", tile, into, 0, 0))
            if may_leave:
                actions += [("enter", tile, 1, place, 0) for place in landings(pos, tile, into)]
        if may_leave and home != ROOT and way_out(pos, tile) is not None:
            add(("exit", tile, 1, 0, 0))
        if usable:
            actions += _uses(tile, usable)
    return actions, tiles, spots


def places(pos: Position) -> tuple[list[Top], list[int], list[int]]:
    """Count the places from which a basic action can be drawn.

    Each top of the actor has a place for every action that it might have. The places are numbered
    from 0, those of one top after those of another. The places of plays come last: one for each
    tile of the deck, each top that it might face, and each facing. Only the place that is drawn is
    looked at, by ``in_place``.

    Returns:
        The tops; for each of them the number of its last place, plus 1; the tiles of the deck.
    """
    # random games spend their time here: one loop with local names is quicker than functions
    boards, homes, cell_of, faces, frozen = pos.boards, pos.home, pos.cell, pos.face, pos.frozen
    ready = pos.cast.usable & ~pos.used
    tops: list[Top] = []
    ends: list[int] = []
    end = 0
    for tile in pos.cast.tiles[pos.actor]:
        home = homes[tile]
        if home < ROOT:
            continue
        cells, cell = boards[home], cell_of[tile]
        stack = cells[cell]
        if stack[-1] != tile or (home != ROOT and not pos.active(home)):
            continue
        if frozen >> tile & 1:
            end += 1
            tops.append((tile, 0, (), 0))
        else:
            front = cells.get(cell + AHEAD[faces[tile]], ())
            usable = pos.abilities(tile) & ready if boards[tile] else ready & 1 << tile
            end += 2 + len(stack) + usable.bit_count()
            end += 1 + (len(boards[front[-1]]) or 1) if front else 0
            tops.append((tile, len(stack), front, usable))
        ends.append(end)
    return tops, ends, deck(pos)


def count_places(tops: list[Top], ends: list[int], tiles: list[int]) -> int:
    """Return how many places there are."""
    return ends[-1] + len(tops) * len(tiles) * len(AHEAD) if tops else 0


def in_place(
    pos: Position, tops: list[Top], ends: list[int], tiles: list[int], index: int
) -> Action | None:
    """Return the action in one of the ``places``; ``None`` if that place is empty.

    Whether the action breaks a board is not judged.
    """
    if index >= ends[-1]:
        rest, face = divmod(index - ends[-1], len(AHEAD))
        rest, faced = divmod(rest, len(tops))
        tile, high, _, _ = tops[faced]
        board, cell = pos.home[tile], pos.cell[tile] - AHEAD[face]
        playable = high and can_play(pos, board, cell)
        return ("play", tiles[rest], board, cell, face) if playable else None
    at = bisect(ends, index)
    tile, high, front, usable = tops[at]
    if not high:
        return "thaw", tile, 0, 0, 0
    place = ends[at] - index
    if place <= high:  # a stack steps up by at most one
        return ("move", tile, place, 0, 0) if len(front) + place <= high + 1 else None
    place -= high
    if place == 1:
        return "unplay", tile, 0, 0, 0
    if place == 2:
        return ("exit", tile, 1, 0, 0) if way_out(pos, tile) else None
    uses = _uses(tile, usable)
    if place - 2 <= len(uses):
        return uses[place - 3]
    place -= 3 + len(uses)
    if not place:
        fights = pos.boards[tile] and high > len(front)
        return ("attack", tile, front[-1], 0, 0) if fights else None
    cells = landings(pos, tile, front[-1])
    return ("enter", tile, 1, cells[place - 1], 0) if place <= len(cells) else None


@lru_cache(maxsize=4096)
def _ways(tile: int, high: int, goal: int, may_leave: bool, can_step: bool) -> list[Action]:
    """Return how the top of a stack is unplayed and moves; kept, as most positions have these.

    Args:
        tile: the top.
        high: the height of its stack.
        goal: the height of the stack in front of it.
        may_leave: it may leave its stack.
        can_step: its whole stack may leave its cell.
    """
    # a move of k tiles starts from high - k: the front is at most one higher
    ways: list[Action] = [("unplay", tile, 0, 0, 0)] if may_leave else []
    ways += [("move", tile, k, 0, 0) for k in range(1, min(high - goal + 2, high))]
    return [*ways, ("move", tile, high, 0, 0)] if can_step and goal < 2 else ways


@lru_cache(maxsize=4096)
def _uses(tile: int, abilities: int) -> list[Action]:
    return [("use", tile, printed, 0, 0) for printed in bits(abilities)]


def _opens(pos: Position, attacker: int, defender: int, cells: Board, cell: int) -> bool:
    """Return whether an attack kills the last tile of a cell that holds its board together."""
    killed = len(pos.boards[defender]) <= pos.attack_value(attacker)
    return killed and len(cells[cell]) == 1 and cells.splits(cell)


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
    if not pos.may_use_more():
        return f"{MOST_USED} abilities were used this turn, and no more may be"
    return f"the ability of {ids[printed]} was used this turn" if pos.used >> printed & 1 else ""


def do_basic(pos: Position, action: Action) -> None:
    """Carry out a basic action other than ``use``; the offer that a play makes is not made yet."""
    verb, tile, number, cell, face = action
    if verb == "play":
        put_in(pos, tile, Place(number, cell, face))
    elif verb == "attack":
        attack(pos, tile, number)
    elif verb == "unplay":
        unplay(pos, (tile,))
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
