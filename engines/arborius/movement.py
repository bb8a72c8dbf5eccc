"""Ways for a stack to go: rules that basic actions (section 5) and steps (6.2) share."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.cast import ROOT
from engines.arborius.changes import shift
from engines.arborius.grid import AHEAD, ORIGIN
from engines.arborius.position import Position, Spot

__all__ = [
    "FACINGS",
    "can_land",
    "can_play",
    "entered",
    "go",
    "landings",
    "open_spots",
    "way_out",
]

FACINGS = tuple(enumerate(AHEAD))


def go(pos: Position, action: Action) -> None:
    """Carry out a move, descent, ascent, entry or exit."""
    verb, tile, count, cell, _ = action
    if verb == "enter":
        into = entered(pos, tile)
        assert into is not None
        shift(pos, tile, count, into, cell)
    elif verb == "exit":
        goal = way_out(pos, tile)
        assert goal is not None
        shift(pos, tile, count, *goal)
    else:
        shift(pos, tile, count, pos.home[tile], pos.front(tile))


def entered(pos: Position, tile: int) -> int | None:
    """Return the tile that a top tile would enter: the top of its front cell."""
    stack = pos.front_stack(tile)
    return stack[-1] if stack else None


def landings(pos: Position, tile: int, into: int) -> list[int]:
    """Return the cells inside ``into`` where ``tile`` can land, in order."""
    inside = pos.boards[into]
    if not inside:
        return [ORIGIN]
    step = AHEAD[pos.face[tile]]
    return sorted([cell - step for cell in inside if cell - step not in inside])


def can_land(pos: Position, tile: int, into: int, cell: int) -> bool:
    """Return whether a cell is one of the ``landings``."""
    inside = pos.boards[into]
    if not inside:
        return cell == ORIGIN
    return cell not in inside and cell + AHEAD[pos.face[tile]] in inside


def way_out(pos: Position, tile: int) -> tuple[int, int] | None:
    """Return the board and cell to which a tile can exit; ``None`` if it cannot."""
    container = pos.home[tile]
    if container == ROOT:
        return None
    board = pos.home[container]
    goal = pos.cell[container] + AHEAD[pos.face[tile]]
    if len(pos.boards[board].get(goal, ())) > len(pos.stack(container)):
        return None
    return board, goal


def open_spots(pos: Position, board: int, faced: int) -> list[Spot]:
    """Return the spots from which a tile played would face a cell, by facing."""
    cells = pos.boards[board]
    own = pos.cast.own[pos.actor]
    found = []
    for face, step in FACINGS:
        stack = cells.get(faced - step)
        if stack is None or own >> stack[-1] & 1:
            found.append((board, faced - step, face))
    return found


def can_play(pos: Position, board: int, cell: int) -> bool:
    """Return whether a tile played on a cell covers no enemy."""
    stack = pos.boards[board].get(cell)
    return stack is None or bool(pos.cast.own[pos.actor] >> stack[-1] & 1)
