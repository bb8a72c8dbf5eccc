"""The tree for a person: as text, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from engines.leaves.tree import size

__all__ = ["draw_svg", "draw_text"]

_CELL = 48  # all lengths in pixels
_MARGIN = 56  # for line numbers and sides
_FOOT = 44

_PAPER, _GROUND, _INK, _FAINT = "#faf6ec", "#eee6d3", "#4a4034", "#9a8f7d"
_BARK, _WOOD, _RING = "#5b3b20", "#a9794a", "#7d5330"
# leaf, its edge and its tile; the second player's leaf leans the other way, and is darker
_LEAVES = (("#5da13c", "#2f6b25", "#e2efd3"), ("#b5362c", "#6e1913", "#f6ddd5"))
_BLADE = "M10 38C8 22 18 10 38 10C39 29 28 39 13 36"  # in a cell, its tip in the north-east
_RIB = "M8 41C15 32 23 24 33 15"
_MIRROR = (f'transform="translate({_CELL} 0) scale(-1 1)"', "")


def draw_text(board: bytes, hands: tuple[int, int], status: str) -> str:
    """Draw the board with column numbers on top and row numbers at the left.

    Args:
        board: the tree.
        hands: leaves in hand.
        status: whose turn it is, or how the game ended.
    """
    width = size(board)[1]
    drawn = ["   " + "".join(f"{column:3}" for column in range(1, width + 1))]
    for number, row in enumerate(board.decode().split("/"), start=1):
        drawn.append(f"{number:3}" + "".join(f"{tile:>3}" for tile in row))
    return "\n".join([*drawn, f"in hand: a {hands[0]}, b {hands[1]}", status])


def draw_svg(board: bytes, hands: tuple[int, int], status: str) -> str:
    """Draw the board with numbers on all sides; leaves that would fall off are pale.

    Arguments as for ``draw_text``.
    """
    rows = board.decode().split("/")
    wide, tall = len(rows[0]) * _CELL, len(rows) * _CELL
    width, height = max(wide + 2 * _MARGIN, 5 * _CELL + 2 * _MARGIN), tall + 2 * _MARGIN + _FOOT
    west = (width - wide) // 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="Georgia, serif" text-anchor="middle">',
        f"<title>Leaves: {status}</title>",
        f'<rect width="{width}" height="{height}" rx="12" fill="{_PAPER}"/>',
        f'<g transform="translate({west} {_MARGIN})">',
        f'<rect x="-6" y="-6" width="{wide + 12}" height="{tall + 12}" rx="8" fill="{_GROUND}"/>',
        *_numbers(len(rows), len(rows[0])),
        *_tiles(rows),
        "</g>",
        *_foot(width, height, hands, status),
        "</svg>",
    ]
    return "\n".join(parts)


def _numbers(rows: int, columns: int) -> Iterator[str]:
    wide, tall = columns * _CELL, rows * _CELL
    yield f'<g font-size="15" fill="{_FAINT}">'
    for column in range(columns):
        middle = column * _CELL + _CELL // 2
        for y in (-15, tall + 25):
            yield f'<text x="{middle}" y="{y}">{column + 1}</text>'
    for row in range(rows):
        middle = row * _CELL + _CELL // 2 + 5
        for x in (-20, wide + 20):
            yield f'<text x="{x}" y="{middle}">{row + 1}</text>'
    yield "</g>"
    yield f'<g font-size="17" font-weight="bold" fill="{_INK}">'
    x, y = wide // 2, tall // 2 + 6
    for side, at in (
        ("N", (x, -36)),
        ("E", (wide + 42, y)),
        ("S", (x, tall + 47)),
        ("W", (-42, y)),
    ):
        yield f'<text x="{at[0]}" y="{at[1]}">{side}</text>'
    yield "</g>"


def _tiles(rows: list[str]) -> Iterator[str]:
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            place = f'transform="translate({column * _CELL} {row * _CELL})"'
            if tile == "#":
                yield f"<g {place}>{_log()}</g>"
            elif tile != ".":
                pale = "" if _touches_log(rows, row, column) else ' opacity="0.5"'
                yield f"<g {place}{pale}>{_leaf(tile == 'b')}</g>"


def _touches_log(rows: list[str], row: int, column: int) -> bool:
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return any(
        0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == "#" for r, c in around
    )


def _log() -> str:
    rings = "".join(
        f'<circle cx="23" cy="25" r="{r}" fill="none" stroke="{_RING}" stroke-width="1.5"/>'
        for r in (4, 9, 14)
    )
    return (
        f'<rect x="2" y="2" width="{_CELL - 4}" height="{_CELL - 4}" rx="9" fill="{_WOOD}"'
        f' stroke="{_BARK}" stroke-width="3.5"/>{rings}'
    )


def _leaf(player: int) -> str:
    blade, edge, tile = _LEAVES[player]
    return (
        f'<rect x="2" y="2" width="{_CELL - 4}" height="{_CELL - 4}" rx="9" fill="{tile}"'
        f' stroke="{edge}" stroke-opacity="0.35"/>'
        f'<g {_MIRROR[1 - player]} fill="{blade}" stroke="{edge}" stroke-width="1.5"'
        f' stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{_BLADE}Z"/><path d="{_RIB}" fill="none"/></g>'
    )


def _foot(width: int, height: int, hands: tuple[int, int], status: str) -> Iterator[str]:
    """Draw both hands to the left and right, and the status between them."""
    yield f'<g font-size="15" fill="{_INK}" transform="translate(0 {height - _FOOT})">'
    yield f'<text x="{width // 2}" y="30">{status}</text>'
    for player, x in ((0, 16), (1, width - 56)):
        yield f'<g transform="translate({x} 12) scale(0.5)">{_leaf(player)}</g>'
        yield f'<text x="{x + 26}" y="30" text-anchor="start">{hands[player]}</text>'
    yield "</g>"
