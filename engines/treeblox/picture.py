"""The board in letters: the view from above and the layers, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.core.drawing import paint
from engines.core.typed import NamedTuple
from engines.treeblox.lattice import coordinates

_LETTERS = "BLbl"  # by code: Dark's branch and leaf, Light's

_LINE = 60  # characters, unless a single view is wider

_GAP = 7  # characters between two views


def draw_text(
    cubes: Mapping[int, int], last: int | None = None, *, color: bool = False
) -> Iterator[str]:
    """Draw the cubes (cell → code) as lines of letters.

    ``B`` and ``L`` are Dark's branches and leaves, ``b`` and ``l`` Light's, ``+`` is a vacant
    ground cell, ``.`` anything else. y stands before a row, x above a column. ``*`` is before the
    cube in the cell ``last``.
    """
    xs, ys = extent(coordinates(cell)[:2] for cell in cubes)
    heading = _heading(xs)
    pitch = len(heading) + _GAP
    panels = [
        [view.title.ljust(len(heading)), heading, *_rows(view, xs, ys, cubes, last, color)]
        for view in views(cubes)
    ]
    per_line = max(1, (_LINE + _GAP) // pitch)
    for start in range(0, len(panels), per_line):
        if start:
            yield ""
        for lines in zip(*panels[start : start + per_line], strict=True):
            yield (" " * _GAP).join(lines).rstrip()


def _heading(xs: range) -> str:
    width = max(len(str(x)) for x in xs)
    return " ".join([" " * 5, *(str(x).rjust(width) for x in xs)])


def _rows(
    view: Layer, xs: range, ys: range, cubes: Mapping[int, int], last: int | None, color: bool
) -> Iterator[str]:
    gap = max(len(str(x)) for x in xs) - 1
    for y in ys:
        signs = []
        for x in xs:
            cell = view.cells.get((x, y))
            ground = view.ground and 0 <= x < 4 and 0 <= y < 4
            sign, mark = "+" if ground else ".", " "
            if cell is not None:
                sign = paint(_LETTERS[cubes[cell]], f"p{cubes[cell] >> 1}", color)
                mark = paint("*", "last", color) if cell == last else " "
            signs.append(" " * gap + mark + sign)
        yield f"{y:4} " + "".join(signs)


class Layer(NamedTuple):
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


def views(cubes: Iterable[int]) -> list[Layer]:
    """Return the view from above, then the layers from z = 0 to the highest cube."""
    above: dict[tuple[int, int], int] = {}
    layers: list[dict[tuple[int, int], int]] = [{}]
    for cell in sorted(cubes):
        x, y, z = coordinates(cell)
        layers += [{} for _ in range(z + 1 - len(layers))]
        layers[z][x, y] = cell
        above[x, y] = cell  # higher cells come later
    return [
        Layer("from above", above, True),
        *(Layer(f"z={z}", cells, z == 0) for z, cells in enumerate(layers)),
    ]
