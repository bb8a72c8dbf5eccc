"""How far a leaf may be pushed along each line without breaking the tree, under ``push=any``.

A push changes one line only. What lies on either side of the line falls into parts, each hanging on
the line by some of the tiles next to it; the tree stays whole only if the changed line still
touches every part, and its runs are joined to one another by parts. The parts of all lines are
found in one sweep from either end, so that no push has to be done. Lines are ints, one bit a cell.
"""

from __future__ import annotations

from functools import lru_cache

from engines.leaves.tree import size

_TILES = bytes(ord("0") if chr(code) in "./" else ord("1") for code in range(256))

Distances = tuple[tuple[int, ...], ...]


def distances(shape: bytes, side: str) -> Distances:
    """Return the legal distances along each line from a side, ascending; 1 is always legal.

    Args:
        shape: the outline of a whole tree.
        side: where the leaf comes from.

    >>> distances(b"#.#/###", "N")
    ((1, 2), (1,), (1, 2))
    """
    near, far = _both_ways(shape, side in "NS")
    return near if side in "NW" else far


@lru_cache(maxsize=1 << 14)
def _both_ways(shape: bytes, vertical: bool) -> tuple[Distances, Distances]:
    """Return the distances along columns or rows: from N or W, and from S or E."""
    height, width = size(shape)
    stride, length = width + 1, height if vertical else width
    texts = [shape[c::stride] for c in range(width)] if vertical else shape.split(b"/")
    lines = [int(text[::-1].translate(_TILES), 2) for text in texts]  # lowest bit: north or west
    if len(lines) == 1:
        return ((1,),), ((1,),)  # the line holds every tile
    parts = [
        before + after
        for before, after in zip(_parts(lines), reversed(_parts(lines[::-1])), strict=True)
    ]
    mirrored = [int(text.translate(_TILES), 2) for text in texts]
    turned = [[_mirror(part, length) for part in hanging] for hanging in parts]
    near = tuple(_along(line, hanging, length) for line, hanging in zip(lines, parts, strict=True))
    far = tuple(
        _along(line, hanging, length) for line, hanging in zip(mirrored, turned, strict=True)
    )
    return near, far


def _mirror(line: int, length: int) -> int:
    return int(f"{line:0{length}b}"[::-1], 2)


def _parts(lines: list[int]) -> list[list[int]]:
    """Return for each line the tiles of the line before it, grouped by what joins them there."""
    found, groups = [], list[int]()
    for line in lines:
        found.append(groups)
        groups = _joined(_runs(line), groups)
    return found


def _runs(line: int) -> list[int]:
    runs = []
    while line:
        rest = line & (line + (line & -line))
        runs.append(line ^ rest)
        line = rest
    return runs


def _joined(runs: list[int], parts: list[int]) -> list[int]:
    """Join the runs of a line that touch one part; what is returned are not runs any more."""
    for part in parts:
        touching = [run for run in runs if run & part]
        if len(touching) > 1:
            runs = [run for run in runs if not run & part]
            runs.append(sum(touching))
    return runs


def _along(line: int, parts: list[int], length: int) -> tuple[int, ...]:
    """Return the legal distances of a leaf that comes from the lowest bit's end."""
    lowest = line & -line
    line |= line + lowest  # by 1: the cells of before, and the first gap behind the first run
    legal = [1]
    for distance in range(2, length + 1):
        lowest = line & -line
        carried = line + lowest
        # one step more: the first run, leaf in front, leaves its first cell and fills the next gap
        line = line - lowest + (carried & ~line)
        for part in parts:
            if not line & part:
                break
        else:
            if not line & (line + (line & -line)) or len(_joined(_runs(line), parts)) == 1:
                legal.append(distance)
    return tuple(legal)
