"""The tree as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.core.choices import Choices
from engines.core.drawing import Seat, frame, rect, text
from engines.leaves.clicks import Click
from engines.leaves.picture import Landing
from engines.leaves.words import SIDE_WORDS

_CELL = 48  # all lengths in pixels
_MARGIN = 56  # for line numbers and sides
_END = 40  # depth of the end of a line that can be clicked

_BLADE = "M10 38C8 22 18 10 38 10C39 29 28 39 13 36"  # in a cell, its tip in the north-east
_RIB = "M8 41C15 32 23 24 33 15"
# the second player's leaf leans the other way
_LEANS = ("", f' transform="translate({_CELL} 0) scale(-1 1)"')
_TURNED = {"N": 0, "E": 90, "S": 180, "W": 270}  # degrees


def draw_svg(
    board: bytes,
    seats: Sequence[Seat],
    status: str,
    landed: Sequence[Landing],
    picks: Choices[Click],
) -> str:
    """Draw the board with numbers on all sides; leaves that would fall off are pale.

    Args:
        board: the tree.
        seats: the players' rows of the legend.
        status: whose turn it is, or how the game ended.
        landed: the leaves of the last turn, which are marked.
        picks: what can be clicked.
    """
    rows = board.decode().split("/")
    wide, tall = len(rows[0]) * _CELL, len(rows) * _CELL
    west, north, east, south = _edges(wide, tall, picks)
    body = [
        f'<g transform="translate({-west} {-north})">',
        rect(-6, -6, wide + 12, tall + 12, "field", rounded=8),
        *_numbers(len(rows), len(rows[0])),
        *_tiles(rows),
    ]
    if landed:
        body.append(f'<g class="last">{"".join(map(_ring, landed))}</g>')
    for place in picks:
        body += _pick(place, (west, north, east, south), picks)
    return frame("Leaves", seats, status, (east - west, south - north), [*body, "</g>"])


def _edges(wide: int, tall: int, picks: Choices[Click]) -> tuple[int, int, int, int]:
    """Return the left, upper, right and lower edge: further out if there are lines to click."""
    xs, ys = [x * _CELL for _, _, x in picks], [y * _CELL for _, y, _ in picks]
    edges = -_MARGIN, -_MARGIN, wide + _MARGIN, tall + _MARGIN
    if not xs:
        return edges
    return (
        min(edges[0], min(xs) - 4) - _END,
        min(edges[1], min(ys) - 4) - _END,
        max(edges[2], max(xs) + _CELL + 4) + _END,
        max(edges[3], max(ys) + _CELL + 4) + _END,
    )


def _pick(place: Click, edges: tuple[int, int, int, int], picks: Choices[Click]) -> Iterator[str]:
    """Draw what can be clicked: an arrow at the end of a line, or a cell, which is not seen."""
    side, row, column = place
    x, y = column * _CELL, row * _CELL
    if not side:
        yield from picks.spot(place, f"row {row + 1}, column {column + 1}", x, y, _CELL, _CELL)
        return
    west, north, east, south = edges
    x, y = {"N": (x, north), "E": (east - _END, y), "S": (x, south - _END), "W": (west, y)}[side]
    width, height = (_CELL, _END) if side in "NS" else (_END, _CELL)
    line = f"column {column + 1}" if side in "NS" else f"row {row + 1}"
    turned = f"translate({x + width // 2} {y + height // 2}) rotate({_TURNED[side]})"
    yield f'<path class="faint" transform="{turned}" d="M-9 -6H9L0 9Z"/>'
    yield from picks.spot(place, f"{SIDE_WORDS[side]} side, {line}", x, y, width, height)


def _numbers(rows: int, columns: int) -> Iterator[str]:
    wide, tall = columns * _CELL, rows * _CELL
    for column in range(columns):
        for y in (-15, tall + 25):
            yield text(column * _CELL + _CELL // 2, y, str(column + 1), "faint mid")
    for row in range(rows):
        for x in (-20, wide + 20):
            yield text(x, row * _CELL + _CELL // 2 + 5, str(row + 1), "faint mid")
    x, y = wide // 2, tall // 2 + 6
    for side, at in (
        ("N", (x, -36)),
        ("E", (wide + 42, y)),
        ("S", (x, tall + 47)),
        ("W", (-42, y)),
    ):
        yield text(*at, side, "ink mid bold")


def _tiles(rows: list[str]) -> Iterator[str]:
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            place = f'transform="translate({column * _CELL} {row * _CELL})"'
            if tile == "#":
                yield f"<g {place}>{_log()}</g>"
            elif tile != ".":
                pale = "" if _touches_log(rows, row, column) else ' class="pale"'
                yield f"<g {place}{pale}>{_leaf(int(tile == 'b'))}</g>"


def _touches_log(rows: list[str], row: int, column: int) -> bool:
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return any(
        0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == "#" for r, c in around
    )


def _log() -> str:
    rings = "".join(f'<circle class="none bark-line" cx="24" cy="24" r="{r}"/>' for r in (4, 9, 14))
    return rect(2, 2, _CELL - 4, _CELL - 4, "wood bark-line", rounded=9) + rings


def _leaf(player: int) -> str:
    edge = f"edge{player}-line"
    return (
        rect(2, 2, _CELL - 4, _CELL - 4, f"tint{player}", rounded=9)
        + f'<g class="{edge}" stroke-linecap="round"{_LEANS[player]}>'
        + f'<path class="p{player}" d="{_BLADE}Z"/><path class="none" d="{_RIB}"/></g>'
    )


def _ring(landing: Landing) -> str:
    """Draw a frame around a leaf, with an arrow from the side that it was pushed in from."""
    row, column, side = landing
    middle = _CELL // 2
    return (
        f'<g transform="translate({column * _CELL} {row * _CELL})'
        f' rotate({_TURNED[side]} {middle} {middle})">'
        f'<path d="M{middle - 6} -9L{middle} -2L{middle + 6} -9M2 9V7a5 5 0 0 1 5 -5H41'
        f'a5 5 0 0 1 5 5V41a5 5 0 0 1 -5 5H7a5 5 0 0 1 -5 -5Z"/></g>'
    )
