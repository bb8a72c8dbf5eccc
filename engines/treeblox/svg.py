"""The board as a picture: the cubes seen from the south-east, below them each layer from above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.core.choices import GAP as BESIDE
from engines.core.choices import Choices
from engines.core.drawing import LARGEST, Piece, Seat, frame, header_height, rect, text
from engines.core.typed import NamedTuple
from engines.treeblox.lattice import COLUMNS, GROUND, coordinates
from engines.treeblox.picture import Layer, extent, views
from engines.treeblox.text import cell_of

# All lengths are in pixels. One step along x goes DX right and DY down, along y DX left and DY
# down, along z DZ up; the eye looks along (-1, -1, -1), so that a cube can only hide cubes with a
# smaller x + y + z, which are drawn before it.
DX, DY, DZ = 28, 16, 32
SLAB = 0.35  # thickness of the board, in cubes
MARGIN, LINE, GAP = 16, 8, 20
NARROWEST, TALLEST = 440, 520  # of the cubes together, TALLEST with their margins
KEY = 310  # width of the key to the signs
SQUARES = range(20, 7, -1)  # sides of a cell in the layers, the first that fits
LARGER = range(40, 7, -1)  # where cells are clicked

# outlines of a cube as it is seen, around the corner of (x, y, z)
_ALL = f"M0 {-DZ}L{DX} {DY - DZ}V{DY}L0 {2 * DY}L{-DX} {DY}V{DY - DZ}Z"
_SOUTH = f"M{-DX} {DY - DZ}L0 {2 * DY - DZ}V{2 * DY}L{-DX} {DY}Z"
_EAST = f"M{DX} {DY - DZ}L0 {2 * DY - DZ}V{2 * DY}L{DX} {DY}Z"
_EDGES = f"M{-DX} {DY - DZ}L0 {2 * DY - DZ}L{DX} {DY - DZ}M0 {2 * DY - DZ}V{2 * DY}"
_LINES = 'stroke="#000" stroke-opacity="0.5" stroke-linejoin="round"'
_LEAF = "M-15 0Q0 -16 15 0Q0 16 -15 0Z"

_BUTTONS: dict[str | int, str] = {"B": "branch", "L": "leaf", "pass": "pass"}
_PAINTS = ("branch0", "p0", "branch1", "p1")  # by code


class _Panel(NamedTuple):
    """One view from above, cut to what it shows."""

    view: Layer
    xs: range
    ys: range
    square: int
    targets: Mapping[tuple[int, int], int]  # cells to click

    def size(self) -> tuple[int, int]:
        name = self.square + 9 * len(self.view.title)
        wide = max(self.square * (len(self.xs) + 1), name, 70)
        return wide, self.square * (len(self.ys) + 1) + LINE


def draw_svg(
    cubes: Mapping[int, int],
    tops: Mapping[int, int],
    seats: Sequence[Seat],
    status: str,
    last: int | None,
    choices: Sequence[str],
) -> str:
    """Draw a position as one SVG element.

    Args:
        cubes: cell → code of the cube in it.
        tops: column → its highest occupied cell; a leaf below it is shaded.
        seats: the players' rows of the legend.
        status: whose turn it is, or how the game ended.
        last: the cell of the last cube, which is marked.
        choices: the actions that are built by clicks.
    """
    picks = _clicks(choices)
    xs, ys = extent(coordinates(cell)[:2] for cell in cubes)
    high = 1 + max((coordinates(cell)[2] for cell in cubes), default=0)
    left, right, top, bottom = _bounds(xs, ys, cubes)
    width = max(right - left, NARROWEST)
    scale = min(1.0, (LARGEST - 2 * MARGIN) / width, TALLEST / (bottom - top))
    solid_width = max(round((right - left) * scale), KEY)
    width = max(round(width * scale), NARROWEST)
    aside = (width - solid_width) // 2
    key = MARGIN + round((bottom - top) * scale)
    below = key + 2 * GAP + LINE
    strip, tall = picks.buttons(_BUTTONS.items(), MARGIN, below - GAP, width)
    below += tall + BESIDE if strip else 0
    room = width, LARGEST - header_height(2) - below
    panels, places, height = _fitting(cubes, picks, *room)
    middle = f"{MARGIN + (width - (right + left) * scale) / 2:g} {MARGIN - top * scale:g}"
    solid = f'<g transform="translate({middle})' + (f' scale({scale:.3f})">' if scale < 1 else '">')
    body = [solid, *_board(cubes), *_axes(xs, ys, high), *_solid(cubes, tops), "</g>"]
    body += [*_key(aside, key), *strip]
    rings = []
    if last is not None:
        x, y, z = coordinates(last)
        rings.append(f'{solid}<path transform="{_at(x, y, z)}" d="{_ALL}"/></g>')
    pieces = [Piece(MARGIN + aside - LINE, 0, solid_width + 2 * LINE, key + GAP + 2)]
    if strip:
        pieces.append(Piece(MARGIN - 2, below - GAP - tall - BESIDE - 2, 240, tall + 4))
    for panel, (across, down) in zip(panels, places, strict=True):
        wide, high = panel.size()
        top = below + down - GAP + 1  # below the line of the view above it
        pieces.append(Piece(MARGIN + across, top, wide + LINE, high + GAP + LINE - 1))
        move = f'transform="translate({MARGIN + across} {below + down})"'
        body += [f"<g {move}>", *_panel(panel, cubes, tops, picks), "</g>"]
        if last is not None and panel.view.cells.get((x, y)) == last:
            column, row = panel.xs.index(x), panel.ys.index(y)
            side = panel.square
            square = f'width="{side}" height="{side}"'
            rings.append(
                f'<rect {move} x="{side * (column + 1)}" y="{LINE + side * (row + 1)}" {square}/>'
            )
    if rings:
        body.append(f'<g class="last">{"".join(rings)}</g>')
    size = (width + 2 * MARGIN, below + height + MARGIN)
    return frame("Treeblox", seats, status, size, body, pieces)


def _point(x: float, y: float, z: float) -> tuple[float, float]:
    """Return where a corner of the lattice lies in the picture, the board's own being (0, 0)."""
    return (x - y) * DX, (x + y) * DY - z * DZ


def _at(x: int, y: int, z: int) -> str:
    return "translate({:g} {:g})".format(*_point(x, y, z))


def _bounds(xs: range, ys: range, cubes: Mapping[int, int]) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of the picture of the cubes with the axes around them."""
    west, east, north, south = xs[0], xs[-1] + 1, ys[0], ys[-1] + 1
    tops = [_point(x, y, z + 1)[1] for x, y, z in map(coordinates, cubes)]
    return (
        _point(west, south, 0)[0] - 40,
        _point(east, north, 0)[0] + 40,
        min([_point(0, 0, 0)[1], _point(west, south, 1)[1] - 20, *tops]),
        _point(east, south, 0)[1] + 40,
    )


def _board(cubes: Mapping[int, int]) -> Iterator[str]:
    """Draw the board with its holes, and outlines on the table below other cubes."""
    top, south, east = (
        _shape((0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)),
        _shape((0, 4, 0), (4, 4, 0), (4, 4, -SLAB), (0, 4, -SLAB)),
        _shape((4, 0, 0), (4, 4, 0), (4, 4, -SLAB), (4, 0, -SLAB)),
    )
    for sides, classes in ((top + south + east, "wood"), (south, "shade"), (east, "shadow")):
        yield f'<path class="{classes}" d="{sides}"/>'
    for hole in GROUND:
        x, y, _ = coordinates(hole)
        across, down = _point(x + 0.5, y + 0.5, 0)
        yield f'<ellipse class="bark" cx="{across:g}" cy="{down:g}" rx="8" ry="4.6"/>'
    for x, y in sorted({coordinates(cell)[:2] for cell in cubes}):
        if not (0 <= x < 4 and 0 <= y < 4):
            shape = _shape((x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0))
            yield f'<path class="none rule-line" stroke-dasharray="3 3" d="{shape}"/>'


def _axes(xs: range, ys: range, high: int) -> Iterator[str]:
    """Draw rulers where no cube can hide them: x in the south, y in the east, z in the west."""
    west, east, north, south = xs[0], xs[-1] + 1, ys[0], ys[-1] + 1
    table = -SLAB
    corners = (
        (west, south, high),
        (west, south, table),
        (east, south, table),
        (east, north, table),
    )
    ruler = "L".join("{:g} {:g}".format(*_point(*corner)) for corner in corners)
    yield f'<path class="none faint-line" d="M{ruler}"/>'
    for x in xs:
        across, down = _point(x + 0.5, south + 0.4, table)
        yield text(across, down + 6, str(x), "faint small mid")
    for y in ys:
        across, down = _point(east + 0.4, y + 0.5, table)
        yield text(across, down + 6, str(y), "faint small mid")
    for z in range(high):
        across, down = _point(west, south, z + 0.5)
        yield text(across - 6, down + 4, str(z), "faint small end")
    for name, place in (
        ("x", (east - 0.1, south + 0.9, table)),
        ("y", (east + 0.9, south - 0.1, table)),
        ("z", (west, south, high + 0.1)),
    ):
        across, down = _point(*place)
        yield text(across - 10 * (name == "z"), down + 6, name, "ink bold mid")


def _solid(cubes: Mapping[int, int], tops: Mapping[int, int]) -> Iterator[str]:
    """Draw the cubes, the farthest first."""
    for cell in sorted(cubes, key=lambda cell: (sum(coordinates(cell)), cell)):
        code = cubes[cell]
        shaded = tops[cell % COLUMNS] != cell
        yield (
            f'<g class="cube" transform="{_at(*coordinates(cell))}">'
            f'<path class="{_PAINTS[code]}" {_LINES} d="{_ALL}"/>'
            f'<path class="shade" d="{_SOUTH}"/><path class="shadow" d="{_EAST}"/>'
            f'<path class="none" {_LINES} d="{_EDGES}"/>'
            f'<g transform="translate(0 {DY - DZ}) scale(1 0.57)">{_sign(code, shaded)}</g></g>'
        )


def _shape(*corners: tuple[float, float, float]) -> str:
    return "M" + "L".join("{:g} {:g}".format(*_point(*corner)) for corner in corners) + "Z"


def _sign(code: int, shaded: bool) -> str:
    """Draw what tells a leaf from a branch (a hole), around the origin; a shaded leaf is hollow."""
    ink = f"on{code >> 1}"
    if not code & 1:
        return f'<circle class="{ink} pale" r="7"/>'
    paint = f"none {ink}-line" if shaded else ink
    return f'<path class="{paint}" stroke-width="2" d="{_LEAF}"/>'


def _key(left: int, down: int) -> Iterator[str]:
    """Say what the signs on the cubes mean."""
    for across, (code, shaded, word) in zip(
        (left + 28, left + 128, left + 248),
        ((1, False, "active leaf"), (1, True, "shaded leaf"), (0, False, "branch")),
        strict=True,
    ):
        sign = f'<g transform="translate({across} {down + 9}) scale(0.6)">{_sign(code, shaded)}</g>'
        yield rect(across - 10, down - 1, 20, 20, _PAINTS[code], rounded=3)
        yield sign
        yield text(across + 16, down + 13, word, "faint small")


def _clicks(choices: Sequence[str]) -> Choices[str | int]:
    """Return what is clicked for an action: a kind of cube, if there are both, and a cell."""
    both = len({action[0] for action in choices} & {"B", "L"}) == 2

    def parts(action: str) -> list[str | int]:
        cell = cell_of(action)
        return [action] if cell is None else [action[0], cell] if both else [cell]

    return Choices(choices, parts)


def _fitting(
    cubes: Mapping[int, int], picks: Choices[str | int], width: int, height: int
) -> tuple[list[_Panel], list[tuple[int, int]], int]:
    """Return the views, where they are and their height, as large as there is room."""
    looks = views(cubes)
    targets: list[dict[tuple[int, int], int]] = [{} for _ in looks]
    for cell in picks:
        if not isinstance(cell, str):
            x, y, z = coordinates(cell)
            for layer in range(len(looks) - 1, z + 1):
                looks.append(Layer(f"z={layer}", {}, False))
                targets.append({})
            targets[1 + z][x, y] = cell
    if len(looks) == 2:
        del looks[0], targets[0]  # with one layer it shows the same
    for square in LARGER if [*picks] else SQUARES:
        panels = [
            _Panel(view, *extent([*view.cells, *cells], board=view.ground), square, cells)
            for view, cells in zip(looks, targets, strict=True)
            if view.cells or view.ground or cells
        ]
        places, across, down, row = [], 0, 0, 0
        for panel in panels:
            wide, tall = panel.size()
            if across and across + wide > width:
                across, down, row = 0, down + row + GAP, 0
            places.append((across, down))
            across, row = across + wide + GAP, max(row, tall)
        if down + row <= height:
            break
    return panels, places, down + row


def _panel(
    panel: _Panel, cubes: Mapping[int, int], tops: Mapping[int, int], picks: Choices[str | int]
) -> Iterator[str]:
    """Draw one view from above as a grid, x above it, y before it, the name over all."""
    view, xs, ys, side, targets = panel
    yield text(side, 0, view.title, "ink bold")
    for x in xs:
        yield text(
            side * (x - xs[0] + 1.5), LINE + side - 5, str(x), "faint small mid", room=side - 2
        )
    for y in ys:
        yield text(side - 4, LINE + side * (y - ys[0] + 1.5) + 4, str(y), "faint small end")
    yield f'<g transform="translate({side * (1 - xs[0])} {LINE + side * (1 - ys[0])})">'
    yield rect(xs[0] * side, ys[0] * side, len(xs) * side, len(ys) * side, "cell")
    if view.ground:
        yield rect(0, 0, 4 * side, 4 * side, "wood pale")
    yield from _grid(xs, ys, side)
    for (x, y), cell in sorted(view.cells.items()):
        code, shaded = cubes[cell], tops[cell % COLUMNS] != cell
        square = rect(0, 0, side, side, _PAINTS[code])
        middle = f'transform="translate({side / 2:g} {side / 2:g}) scale({side / 36:.2f})"'
        sign = f"<g {middle}>{_sign(code, shaded)}</g>"
        yield f'<g transform="translate({x * side} {y * side})">{square}{sign}</g>'
    for (x, y), cell in targets.items():
        label = f"x {x}, y {y}, {view.title}"
        yield from picks.spot(cell, label, x * side, y * side, side, side)
    yield "</g>"


def _grid(xs: range, ys: range, side: int) -> Iterator[str]:
    """Draw lines between the cells."""
    for x in range(xs[0], xs[-1] + 2):
        top, bottom = ys[0] * side, (ys[-1] + 1) * side
        yield f'<path class="rule-line" d="M{x * side} {top}V{bottom}"/>'
    for y in range(ys[0], ys[-1] + 2):
        left, right = xs[0] * side, (xs[-1] + 1) * side
        yield f'<path class="rule-line" d="M{left} {y * side}H{right}"/>'
