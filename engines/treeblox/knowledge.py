"""What a position of Treeblox is worth: the lead, room to grow, and leaves kept for later."""

from __future__ import annotations

from engines.core.knowledge import Knowledge, lead
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.core.interface import State

__all__ = ["KNOWLEDGE"]

# The weights are those that did best against random play among a dozen tried.
ROOM = 0.25  # a vacant cell that touches a branch
LEAF = 0.3  # a leaf that is not placed yet

_NEIGHBOURS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def worth(state: State, player: int) -> float:
    """Return by how much a player leads, as far as one can tell from the cubes."""
    cubes = [_parse_cells(field) for field in state.observation(None).split(" ")[4:8]]
    taken = {cell for cells in cubes for cell in cells}
    room = [_open_cells(cubes[0], taken), _open_cells(cubes[2], taken)]
    leaves = [16 - len(cubes[1]), 16 - len(cubes[3])]
    other = 1 - player
    return (
        lead(state, player)
        + ROOM * (room[player] - room[other])
        + LEAF * (leaves[player] - leaves[other])
    )


def _parse_cells(field: str) -> list[tuple[int, ...]]:
    """Read a list of cells as Treeblox writes it."""
    if field == "-":
        return []
    return [tuple(map(int, cell.split("."))) for cell in field.split(",")]


def _open_cells(branches: list[tuple[int, ...]], taken: set[tuple[int, ...]]) -> int:
    """Count the vacant cells that touch a branch."""
    found = {
        (x + dx, y + dy, z + dz)
        for x, y, z in branches
        for dx, dy, dz in _NEIGHBOURS
        if z + dz >= 0
    }
    return len(found - taken)


KNOWLEDGE = Knowledge(worth=worth)
