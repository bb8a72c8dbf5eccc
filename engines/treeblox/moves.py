"""The course of turns, and the available cells as cubes are placed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from engines.core.typed import TYPE_CHECKING
from engines.treeblox.lattice import neighbours

if TYPE_CHECKING:
    from typing import Final, Literal, TypeAlias

    Phase: TypeAlias = Literal["first", "main", "final", "over"]
    # what `pass` would do: an empty turn, the second one and so the end, stop the turn, not legal
    Passing: TypeAlias = Literal["idle", "end", "stop", "-"]
    # who is to act (-1 when over), the phase, the most cubes still to place this turn, and `pass`
    Turn: TypeAlias = tuple[int, Phase, int, Passing]
    Cells: TypeAlias = tuple[int, ...]
PHASES: Final[tuple[Phase, ...]] = ("first", "main", "final", "over")
PASSINGS: Final[tuple[Passing, ...]] = ("idle", "end", "stop", "-")

STOCK: Final = 16  # cubes of each code at the start
OVER: Final[Turn] = (-1, "over", 0, "-")


def growth_rate(active_leaves: int) -> int:
    """Return the most cubes of a turn that begins with so many active leaves."""
    return 1 if active_leaves < 3 else 2


def turn_after_cube(
    turn: Turn, free: tuple[Cells, Cells], stock: tuple[int, ...], active: tuple[int, int]
) -> Turn:
    """Return whose turn it is after a cube, by the rules' checks in their order."""
    player, phase, left, _ = turn
    other = 1 - player
    if phase == "first":
        return (1, "first", 1, "-") if player == 0 else begin_turn(0, stock, active, "idle")
    if not (active[0] and active[1]):
        return OVER
    if phase == "final":
        return (player, "final", left - 1, "-") if left > 1 and free[player] else OVER
    if not (stock[2 * player] or stock[2 * player + 1]):
        rest = stock[2 * other] + stock[2 * other + 1]
        return (other, "final", rest, "-") if free[other] else OVER
    if left > 1:
        return (player, "main", left - 1, "stop")
    return begin_turn(other, stock, active, "idle")


def begin_turn(
    player: int, stock: tuple[int, ...], active: tuple[int, int], passing: Passing
) -> Turn:
    rest = stock[2 * player] + stock[2 * player + 1]
    return (player, "main", min(growth_rate(active[player]), rest), passing)


def has_cell(cells: Cells, cell: int) -> bool:
    place = bisect_left(cells, cell)
    return place < len(cells) and cells[place] == cell


def take_out(cells: Cells, cell: int) -> Cells:
    """Take a cell out of ascending ones, if it is among them."""
    place = bisect_left(cells, cell)
    if place < len(cells) and cells[place] == cell:
        return cells[:place] + cells[place + 1 :]
    return cells


def put_beside(cells: Cells, branch: int, cubes: Mapping[int, int]) -> Cells:
    """Put the vacant cells beside a new branch among the available ones, and take its own out."""
    result = list(cells)
    del result[bisect_left(result, branch)]
    for cell in neighbours(branch):
        if cell not in cubes:
            place = bisect_left(result, cell)
            if place == len(result) or result[place] != cell:
                result.insert(place, cell)
    return tuple(result)
