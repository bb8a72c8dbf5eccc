"""What a position of Treeblox is worth: the lead, room to grow, and leaves kept for later."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.knowledge import Knowledge, lead
from engines.core.typed import TYPE_CHECKING
from engines.treeblox.lattice import neighbours
from engines.treeblox.state import TreebloxState

if TYPE_CHECKING:
    from engines.core.interface import State

__all__ = ["KNOWLEDGE"]

# The weights are those that did best against random play among a dozen tried.
ROOM = 0.25  # a vacant cell that touches a branch
LEAF = 0.3  # a leaf that is not placed yet


def worth(state: State, player: int) -> float:
    """Return by how much a player leads, as far as one can tell from the cubes."""
    assert isinstance(state, TreebloxState)
    room, leaves = [_open_cells(state.cubes, who) for who in (0, 1)], state.stock[1::2]
    other = 1 - player
    return (
        lead(state, player)
        + ROOM * (room[player] - room[other])
        + LEAF * (leaves[player] - leaves[other])
    )


def _open_cells(cubes: Mapping[int, int], player: int) -> int:
    """Count the vacant cells that touch a branch of a player."""
    branches = [cell for cell, code in cubes.items() if code == 2 * player]
    return len({near for cell in branches for near in neighbours(cell)} - cubes.keys())


KNOWLEDGE = Knowledge(worth=worth)
