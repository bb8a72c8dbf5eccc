"""What there is to see of the cubes: from above, and in each layer."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.typed import NamedTuple
from engines.treeblox.lattice import coordinates

__all__ = ["View", "extent", "views"]


class View(NamedTuple):
    """One look at the board: ``codes`` holds what is seen at (x, y), where anything is.

    ``ground`` says whether vacant ground cells are in sight.
    """

    title: str
    codes: Mapping[tuple[int, int], int]
    ground: bool


def extent(cubes: Mapping[int, int]) -> tuple[range, range]:
    """Return the x and the y that the board and all cubes take up."""
    places = [coordinates(cell) for cell in cubes]
    xs = [0, 3, *(x for x, _, _ in places)]
    ys = [0, 3, *(y for _, y, _ in places)]
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def views(cubes: Mapping[int, int]) -> list[View]:
    """Return the view from above, then the layers from z = 0 to the highest cube."""
    above: dict[tuple[int, int], int] = {}
    layers: list[dict[tuple[int, int], int]] = [{}]
    for cell in sorted(cubes):
        x, y, z = coordinates(cell)
        layers += [{} for _ in range(z + 1 - len(layers))]
        layers[z][x, y] = cubes[cell]
        above[x, y] = cubes[cell]  # higher cells come later
    return [
        View("from above", above, True),
        *(View(f"z={z}", codes, z == 0) for z, codes in enumerate(layers)),
    ]
