"""Contiguity (rules section 1): no action may leave a board in two pieces.

An action vacates one cell at most, so only that cell's board is looked at.
"""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.grid import splits
from engines.arborius.position import Position

__all__ = ["breaks_a_board"]

# these may occupy a new cell of the board they leave; a descent leaves tiles behind
_FORWARD = frozenset({"move", "ascend"})
_MOVERS = frozenset({*_FORWARD, "descend", "enter", "exit"})


def breaks_a_board(pos: Position, action: Action, *, whole: bool = False) -> bool:
    """Return whether an action would leave a board in two pieces."""
    emptied = _emptied(pos, action, whole=whole)
    if emptied is None:
        return False
    board, cell = emptied
    new = pos.front(action[1]) if action[0] in _FORWARD else None
    cells = pos.boards[board]
    return splits(cells.rings, cells.euler, cell, new)


def _emptied(pos: Position, action: Action, *, whole: bool = False) -> tuple[int, int] | None:
    """Return the board and cell that an action would empty; ``None`` if it empties none.

    ``whole``: the step of this action takes the whole stack along, whatever it says.
    """
    verb, tile, number, _, _ = action
    if verb == "give":
        return tile, number
    if verb in _MOVERS:
        leaving = number
    elif verb == "unplay":
        leaving = len(pos.stack(tile)) if whole else 1
    elif verb == "attack":
        tile, leaving = number, 1
        if len(pos.boards[number]) > pos.attack_value(action[1]):
            return None
    else:
        return None
    if len(pos.stack(tile)) > leaving:
        return None
    return pos.home[tile], pos.cell[tile]
