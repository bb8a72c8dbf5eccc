"""Cells of the cubic lattice as whole numbers whose order is the order of the rules.

The cell ``x.y.z`` is the number ``x + 16 + 36 * (y + 16) + 1296 * z``: ascending numbers go by z,
then y, then x; a step to a neighbour is one addition; a number modulo 1296 is the cell's column.
Sixteen branches cannot carry a cube beyond -16 … 19 sideways and 16 upward.
"""

from __future__ import annotations

from functools import cache

LOWEST, HIGHEST, TOP = -16, 19, 16
ROW = HIGHEST - LOWEST + 1
COLUMNS = ROW * ROW  # cells of one layer, and so the step from a cell to the one on top of it

_NUMBERS = {str(number): number for number in range(LOWEST, HIGHEST + 1)}
_SPELLING = r"(0|-?[1-9][0-9]*)\.(0|-?[1-9][0-9]*)\.(0|-?[1-9][0-9]*)"
_SIDEWAYS = (-ROW, -1, 1, ROW)


def cell_at(x: int, y: int, z: int) -> int:
    """Return the number of a cell within reach.

    >>> cell_at(0, 0, 0), cell_at(1, 2, 3)
    (592, 4553)
    """
    return x - LOWEST + ROW * (y - LOWEST) + COLUMNS * z


def coordinates(cell: int) -> tuple[int, int, int]:
    """Return x, y and z of a cell.

    >>> coordinates(4553)
    (1, 2, 3)
    """
    z, column = divmod(cell, COLUMNS)
    y, x = divmod(column, ROW)
    return x + LOWEST, y + LOWEST, z


GROUND = tuple(cell_at(x, y, 0) for y in range(4) for x in range(4))
"""The 16 cells on the board's holes, in order."""


def away(cell: int) -> int:
    """Return how many branches it takes to reach a cell from the board.

    >>> away(cell_at(3, 0, 0)), away(cell_at(-1, 4, 2))
    (0, 4)
    """
    x, y, z = coordinates(cell)
    return sum(max(0, -at, at - 3) for at in (x, y)) + z


@cache
def reached() -> tuple[int, ...]:
    """Return the cells that the cubes of a stock can reach, in order; the farthest by leaves."""
    return tuple(cell for cell in range(COLUMNS * (TOP + 1)) if away(cell) <= TOP)


@cache
def neighbours(cell: int) -> tuple[int, ...]:
    """Return the cells that share a face with this one and are not below the board, ascending.

    Only for cells that a tree's branch can be in: none of them lies at the lattice's rim, where
    the arithmetic would wrap around.
    """
    below = () if cell < COLUMNS else (cell - COLUMNS,)
    return (*below, *(cell + step for step in _SIDEWAYS), cell + COLUMNS)


@cache
def cell_text(cell: int) -> str:
    """Return the canonical spelling ``x.y.z`` of a cell."""
    return "{}.{}.{}".format(*coordinates(cell))


def parse_cell(text: str) -> int | None:
    """Return the cell of a canonical spelling, ``None`` for anything else or out of reach.

    >>> parse_cell("1.2.3"), parse_cell("01.2.3"), parse_cell("0.0.-1"), parse_cell("20.0.0")
    (4553, None, None, None)
    """
    parts = text.split(".", 3)
    if len(parts) != 3:
        return None
    # looking the three up also checks their spelling
    x, y, z = (_NUMBERS.get(part) for part in parts)
    if x is None or y is None or z is None or not 0 <= z <= TOP:
        return None
    return cell_at(x, y, z)


def well_spelled(text: str) -> bool:
    """Return whether a text is the canonical spelling of any cell, within reach or not."""
    import re  # 4 ms, spent on mistakes only

    return re.fullmatch(_SPELLING, text, re.ASCII) is not None
