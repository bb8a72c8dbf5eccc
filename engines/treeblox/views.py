"""What there is to see of the cubes: from above, and in each layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.core.typed import NamedTuple
from engines.treeblox.lattice import coordinates

__all__ = ["View", "extent", "views"]


class View(NamedTuple):
    """One look at the board: ``cells`` holds the cell that is seen at (x, y), where a cube is.

    ``ground`` says whether vacant ground cells are in sight.
    """

    title: str
    cells: Mapping[tuple[int, int], int]
    ground: bool


def extent(places: Iterable[tuple[int, int]], *, board: bool = True) -> tuple[range, range]:
    """Return the x and the y that places (x, y) take up, and the board too if it counts."""
    corners = [*places, (0, 0), (3, 3)] if board else [*places]
    xs, ys = zip(*corners, strict=True)
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def views(cubes: Iterable[int]) -> list[View]:
    """Return the view from above, then the layers from z = 0 to the highest cube."""
    above: dict[tuple[int, int], int] = {}
    layers: list[dict[tuple[int, int], int]] = [{}]
    for cell in sorted(cubes):
        x, y, z = coordinates(cell)
        layers += [{} for _ in range(z + 1 - len(layers))]
        layers[z][x, y] = cell
        above[x, y] = cell  # higher cells come later
    return [
        View("from above", above, True),
        *(View(f"z={z}", cells, z == 0) for z, cells in enumerate(layers)),
    ]
