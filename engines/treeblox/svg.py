"""The board as a picture: the cubes seen from the south-east, below them each layer from above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.core.typed import NamedTuple
from engines.treeblox.lattice import GROUND, coordinates
from engines.treeblox.views import View, extent, views

__all__ = ["draw_svg"]

# All lengths are in the picture's own units. One step along x goes DX right and DY down, along y
# DX left and DY down, along z DZ up; the eye looks along (-1, -1, -1), so that a cube can only hide
# cubes with a smaller x + y + z, which are drawn before it.
DX, DY, DZ = 28, 16, 32
SLAB = 0.35  # thickness of the board, in cubes
SQUARE = 18  # side of a cell in the layers
MARGIN, LINE, GAP = 16, 20, 24
NARROWEST = 620


class _Paint(NamedTuple):
    """Colours of a cube: its top, its side to the left and to the right, edges, and its mark."""

    top: str
    left: str
    right: str
    edge: str
    mark: str


_PAINTS = (
    _Paint("#57524f", "#3d3937", "#292625", "#141312", "#292625"),
    _Paint("#2f8f4e", "#22703b", "#17542b", "#0c2e18", "#bfe8c8"),
    _Paint("#fffaf0", "#e9dfcc", "#d3c6ad", "#8a7d63", "#cdbf9f"),
    _Paint("#c3ec8c", "#a3d068", "#86b54c", "#557a2b", "#4f7a1e"),
)
_WOOD = _Paint("#e2c290", "#c09a62", "#a98450", "#8a6a3d", "#8f6d3f")
_PAPER, _INK, _FAINT = "#ffffff", "#2b2622", "#b9b2a8"


def draw_svg(cubes: Mapping[int, int], captions: Sequence[str]) -> str:
    """Draw the cubes (cell → code) with lines of text above them, as one SVG element."""
    corners = [_point(x, y, z) for x, y, z in _outline(cubes)]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    panels = views(cubes)
    xs, ys = extent(cubes)
    pitch = SQUARE * (len(xs) + 1) + GAP
    rise = SQUARE * (len(ys) + 1) + LINE + GAP
    width = max(right - left, NARROWEST, pitch - GAP)
    per_row = int((width + GAP) // pitch)
    rows = -(-len(panels) // per_row)
    head = MARGIN + LINE * len(captions)
    below = head + GAP + (bottom - top) + GAP
    full_width, full_height = width + 2 * MARGIN, below + rows * rise - GAP + MARGIN
    title = f"Treeblox: {captions[0]}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width:g} {full_height:g}"'
        f' width="{full_width:g}" height="{full_height:g}" role="img"'
        f' font-family="sans-serif" stroke-linejoin="round" fill="{_INK}">',
        f"<title>{title}</title>",
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>',
    ]
    for number, caption in enumerate(captions):
        weight = "" if number else ' font-weight="bold"'
        y = MARGIN + LINE * number + 12
        lines.append(f'<text x="{MARGIN}" y="{y}" font-size="14"{weight}>{caption}</text>')
    middle = f"{MARGIN + (width - right - left) / 2:g} {head + GAP - top:g}"
    lines.append(f'<g transform="translate({middle})">')
    lines += _board(cubes)
    lines += _solid(cubes)
    lines.append("</g>")
    for number, view in enumerate(panels):
        row, column = divmod(number, per_row)
        lines.append(f'<g transform="translate({MARGIN + column * pitch} {below + row * rise:g})">')
        lines += _panel(view, xs, ys)
        lines.append("</g>")
    lines.append("</svg>")
    return "\n".join(lines)


def _point(x: float, y: float, z: float) -> tuple[float, float]:
    """Return where a corner of the lattice lies in the picture, the board's own being (0, 0)."""
    return (x - y) * DX, (x + y) * DY - z * DZ


def _outline(cubes: Mapping[int, int]) -> Iterator[tuple[float, float, float]]:
    """Give points such that the picture of everything lies within their rectangle."""
    yield from ((0, 4, -SLAB), (4, 0, -SLAB), (4, 4, -SLAB), (0, 0, 0))
    for x, y, z in map(coordinates, cubes):
        yield from ((x, y, 0), (x, y + 1, 0), (x + 1, y, 0), (x + 1, y + 1, 0))
        yield (x, y, z + 1)


def _board(cubes: Mapping[int, int]) -> Iterator[str]:
    """Draw the board with its holes, x and y, and outlines on the table below other cubes."""
    yield from _box((0, 0, -SLAB), (4, 4, 0), _WOOD)
    for hole in GROUND:
        x, y, _ = coordinates(hole)
        across, down = _point(x + 0.5, y + 0.5, 0)
        yield f'<ellipse cx="{across:g}" cy="{down:g}" rx="8" ry="4.6" fill="{_WOOD.mark}"/>'
    for number in range(4):
        for letter, place in (("x", (number + 0.5, 4.55)), ("y", (4.55, number + 0.5))):
            across, down = _point(*place, -SLAB)
            yield _label(f"{letter}={number}", across, down + 4)
    columns = {coordinates(cell)[:2] for cell in cubes}
    for x, y in sorted(columns):
        if not (0 <= x < 4 and 0 <= y < 4):
            shape = _shape((x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0))
            yield (
                f'<polygon points="{shape}" fill="none" stroke="{_FAINT}" stroke-dasharray="3 3"/>'
            )


def _solid(cubes: Mapping[int, int]) -> Iterator[str]:
    """Draw the cubes, the farthest first."""
    for cell in sorted(cubes, key=lambda cell: (sum(coordinates(cell)), cell)):
        x, y, z = coordinates(cell)
        code = cubes[cell]
        paint = _PAINTS[code]
        yield from _box((x, y, z), (x + 1, y + 1, z + 1), paint)
        across, down = _point(x + 0.5, y + 0.5, z + 1)
        yield f'<g transform="translate({across:g} {down:g})">{_mark(code, 1, 0.57)}</g>'


def _box(
    low: tuple[float, float, float], high: tuple[float, float, float], paint: _Paint
) -> Iterator[str]:
    """Draw the three sides of a box that are in sight: top, south and east."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    sides = (
        (paint.top, _shape((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1))),
        (paint.left, _shape((x0, y1, z1), (x1, y1, z1), (x1, y1, z0), (x0, y1, z0))),
        (paint.right, _shape((x1, y0, z1), (x1, y1, z1), (x1, y1, z0), (x1, y0, z0))),
    )
    for fill, shape in sides:
        yield f'<polygon points="{shape}" fill="{fill}" stroke="{paint.edge}"/>'


def _shape(*corners: tuple[float, float, float]) -> str:
    return " ".join("{:g},{:g}".format(*_point(*corner)) for corner in corners)


def _mark(code: int, scale: float, flat: float) -> str:
    """Draw what tells a leaf (a leaf) from a branch (a hole), around the origin."""
    mark = _PAINTS[code].mark
    turned = f'transform="scale({scale:g} {scale * flat:g})"'
    if code & 1:
        return (
            f'<path {turned} d="M-15 0Q0 -16 15 0Q0 16 -15 0Z" fill="{mark}"/>'
            f'<path {turned} d="M-15 0H9" stroke="{_PAINTS[code].left}" stroke-width="2"/>'
        )
    return f'<circle {turned} r="8" fill="{mark}"/>'


def _panel(view: View, xs: range, ys: range) -> Iterator[str]:
    """Draw one view from above as a grid, x above it, y before it, the name over all."""
    yield f'<text x="{SQUARE}" y="0" font-size="12">{view.title}</text>'
    for place, x in enumerate(xs, 1):
        yield _label(str(x), SQUARE * (place + 0.5), LINE)
    for row, y in enumerate(ys):
        down = LINE + 5 + SQUARE * row
        yield _label(str(y), SQUARE / 2, down + 13)
        for place, x in enumerate(xs, 1):
            across, code = SQUARE * place, view.codes.get((x, y))
            on_board = view.ground and 0 <= x < 4 and 0 <= y < 4
            fill = _PAINTS[code].top if code is not None else _WOOD.top if on_board else "none"
            edge = _PAINTS[code].edge if code is not None else _FAINT
            yield (
                f'<rect x="{across}" y="{down}" width="{SQUARE}" height="{SQUARE}"'
                f' fill="{fill}" stroke="{edge}"/>'
            )
            if code is not None:
                middle = f"{across + SQUARE / 2:g} {down + SQUARE / 2:g}"
                yield f'<g transform="translate({middle})">{_mark(code, 0.5, 1)}</g>'


def _label(text: str, across: float, down: float) -> str:
    middle = f'x="{across:g}" y="{down:g}" text-anchor="middle"'
    return f'<text {middle} font-size="10">{text}</text>'
