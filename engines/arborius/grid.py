"""Cells of an unbounded square grid as single integers (rules section 1).

The cell ``x,y`` is the number ``x * SPAN + y``, so numbers are ordered by x, then y, and a step is
one addition. ``SPAN`` is so large that no board of a real game comes near the edge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from engines.core.text import natural

__all__ = [
    "AHEAD",
    "FACES",
    "ORIGIN",
    "RING",
    "cell_at",
    "cell_text",
    "coordinates",
    "in_one_piece",
    "read_cell",
    "splits",
]

SPAN = 1 << 32
ORIGIN = 0
FACES = "NESW"  # a facing is an index into this
AHEAD = (1, SPAN, -1, -SPAN)  # the step of each facing
# the eight neighbours once around, clockwise from the north
RING = (1, SPAN + 1, SPAN, SPAN - 1, -1, -SPAN - 1, -SPAN, 1 - SPAN)


def cell_at(x: int, y: int) -> int:
    """Return the cell of a pair of coordinates, each less than ``SPAN / 2`` in size."""
    return x * SPAN + y


def coordinates(cell: int) -> tuple[int, int]:
    """Return x and y of a cell: the inverse of ``cell_at``.

    >>> coordinates(cell_at(-3, -1))
    (-3, -1)
    """
    y = (cell + SPAN // 2) % SPAN - SPAN // 2
    return (cell - y) // SPAN, y


@lru_cache(maxsize=4096)
def cell_text(cell: int) -> str:
    """Return ``x,y``."""
    x, y = coordinates(cell)
    return f"{x},{y}"


def read_cell(text: str) -> int | None:
    """Read ``x,y`` as ``cell_text`` writes it; else ``None``.

    >>> cell_text(read_cell("-3,10")), read_cell("-0,1"), read_cell("1"), read_cell("+1,2")
    ('-3,10', None, None, None)
    """
    left, _, right = text.partition(",")
    x, y = _whole(left), _whole(right)
    return None if x is None or y is None else cell_at(x, y)


def _whole(text: str) -> int | None:
    negative = text.startswith("-")
    value = natural(text[1:] if negative else text)
    if value is None or (negative and value == 0):
        return None
    return -value if negative else value


def splits(board: Collection[int], gone: int, new: int | None = None) -> bool:
    """Return whether a contiguous board falls apart when a cell is vacated.

    Args:
        board: the occupied cells, ``gone`` among them.
        gone: the cell that becomes empty.
        new: a cell that becomes occupied at the same time.
    """
    around = 0
    bit = 1
    for step in RING:
        if gone + step in board or gone + step == new:
            around |= bit
        bit += bit
    if _LINKED[around]:
        return False
    left = set(board)
    left.discard(gone)
    if new is not None:
        left.add(new)
    return not in_one_piece(left)


def in_one_piece(cells: Iterable[int]) -> bool:
    """Return whether cells form one group, diagonals included; no cells do."""
    left = set(cells)
    reached = [left.pop()] if left else []
    while reached:
        cell = reached.pop()
        for step in RING:
            if cell + step in left:
                left.remove(cell + step)
                reached.append(cell + step)
    return not left


# for every set of occupied neighbours (bit i: RING[i]): is it one group without the middle?
_LINKED = tuple(in_one_piece(RING[i] for i in range(8) if around >> i & 1) for around in range(256))
