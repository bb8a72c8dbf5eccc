"""Cells of an unbounded square grid as single integers (rules section 1).

The cell ``x,y`` is the number ``x * SPAN + y``, so numbers are ordered by x, then y, and a step is
one addition. ``SPAN`` is so large that no board of a real game comes near the edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines.core.text import natural

SPAN = 1 << 32
ORIGIN = 0
FACES = "NESW"  # a facing is an index into this
AHEAD = (1, SPAN, -1, -SPAN)  # the step of each facing
# the eight neighbours once around, clockwise from the north
RING = (1, SPAN + 1, SPAN, SPAN - 1, -1, -SPAN - 1, -SPAN, 1 - SPAN)

Rings = dict[int, int]  # of each occupied cell its occupied neighbours: bit i for ``RING[i]``


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


def splits(rings: Rings, whole: int, gone: int, new: int | None = None) -> bool:
    """Return whether a contiguous board falls apart when a cell is vacated.

    Whether its neighbours are ``LINKED`` by themselves is looked at before, as it is quicker.

    Args:
        rings: the rings of its cells.
        whole: its pieces less its holes: 1 spares the search, as what is apart around a cell is
            joined elsewhere only around a hole.
        gone: the cell that becomes empty.
        new: an empty cell in front of it that is occupied then.
    """
    if new is None:
        return whole == 1 or not _meet(rings, gone)
    after = rings.copy()
    return whole + add_cell(after, new) == 1 or not _meet(after, gone)


def add_cell(rings: Rings, cell: int) -> int:
    """Add a cell; return by how much there are now more pieces, or fewer holes.

    >>> rings = {}
    >>> [add_cell(rings, cell_at(*xy)) for xy in [(0, 1), (1, 0), (0, -1), (-1, 0), (0, 0)]]
    [1, 0, 0, -1, 1]
    """
    around = 0
    for step, bit, opposite in _RING_BITS:
        if cell + step in rings:
            around |= bit
            rings[cell + step] |= opposite
    rings[cell] = around
    return _ADDED[around]


def take_cell(rings: Rings, cell: int) -> int:
    """Take a cell away; return what ``add_cell`` would for adding it again."""
    around = rings.pop(cell)
    for step, opposite in _NEXT[around]:
        rings[cell + step] ^= opposite
    return _ADDED[around]


def _meet(rings: Rings, gone: int) -> bool:
    """Return whether all neighbours of a cell are joined without it."""
    goals = {gone + step for step, _ in _NEXT[rings[gone]]}
    reached = [goals.pop()]
    seen = {gone, *reached}
    while reached:
        cell = reached.pop()
        for step, _ in _NEXT[rings[cell]]:
            if cell + step not in seen:
                seen.add(cell + step)
                reached.append(cell + step)
                goals.discard(cell + step)
        if not goals:
            return True
    return False


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
LINKED = tuple(in_one_piece(RING[i] for i in range(8) if around >> i & 1) for around in range(256))


def _gaps(around: int) -> int:
    """Count the gaps around a cell that reach to one of its sides."""
    empty = [not around >> i % 8 & 1 for i in range(10)]
    return sum(empty[i] and not (empty[i + 1] and empty[i + 2]) for i in range(0, 8, 2))


# For every set of occupied neighbours, by how much the middle makes more pieces or fewer holes.
# Diagonals join cells, but not what is empty. The middle joins as many groups as there are gaps
# between them; without any gap it fills a hole.
_ADDED = tuple(1 - _gaps(around) for around in range(256))

# the steps of RING with their bits, and with the bit of the way back
_RING_BITS = tuple((step, 1 << i, 1 << (i + 4) % 8) for i, step in enumerate(RING))
SIDES = {step: bit for step, bit, _ in _RING_BITS}
# for every set of neighbours: the steps to them, with the bit of the way back
_NEXT = tuple(
    tuple((step, opposite) for step, bit, opposite in _RING_BITS if around & bit)
    for around in range(256)
)
