"""The tree as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.core.drawing import Seat, frame, rect, text
from engines.leaves.picture import Landing

_CELL = 48  # all lengths in pixels
_MARGIN = 56  # for line numbers and sides

_BLADE = "M10 38C8 22 18 10 38 10C39 29 28 39 13 36"  # in a cell, its tip in the north-east
_RIB = "M8 41C15 32 23 24 33 15"
# the second player's leaf leans the other way
_LEANS = ("", f' transform="translate({_CELL} 0) scale(-1 1)"')
_TURNED = {"N": 0, "E": 90, "S": 180, "W": 270}  # degrees


def draw_svg(board: bytes, seats: Sequence[Seat], status: str, landed: Sequence[Landing]) -> str:
    """Draw the board with numbers on all sides; leaves that would fall off are pale.

    Args:
        board: the tree.
        seats: the players' rows of the legend.
        status: whose turn it is, or how the game ended.
        landed: the leaves of the last turn, which are marked.
    """
    rows = board.decode().split("/")
    wide, tall = len(rows[0]) * _CELL, len(rows) * _CELL
    body = [
        f'<g transform="translate({_MARGIN} {_MARGIN})">',
        rect(-6, -6, wide + 12, tall + 12, "field", rounded=8),
        *_numbers(len(rows), len(rows[0])),
        *_tiles(rows),
    ]
    if landed:
        body.append(f'<g class="last">{"".join(map(_ring, landed))}</g>')
    return frame("Leaves", seats, status, (wide + 2 * _MARGIN, tall + 2 * _MARGIN), [*body, "</g>"])


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
