"""A position drawn as a picture: the tree on its ground, the hands and the supply below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.the_tree.board import place_of, placed_text
from engines.the_tree.table import OVER, Table
from engines.the_tree.tiles import TILE_TEXTS, tiles_of

__all__ = ["draw"]

_CELL = 40  # pixels: half a tile of the tree
_SMALL = 24  # half a tile in a hand
_GAP = 8  # between tiles of a hand
_PER_LINE = 10  # tiles of a hand side by side
_MARGIN = 16
_LEAST_WIDTH = 2 * _MARGIN + _PER_LINE * (2 * _SMALL + _GAP) - _GAP

_PAPER = "#fbfaf4"
_GROUND = "#8a6d4b"
_INK = "#26331f"
_FAINT = "#7d846f"
_TRUNK = ("#ecd6ae", "#7a5a36")  # fill and edge of the opening tile
_LEAF = ("#e2f0cd", "#557f3c")  # of the other tiles of the tree
_OPEN = ("#ffffff", "#6d7566")  # of a tile that the viewer sees in a hand or in the supply
_BACK = ("#a9b79d", "#6d7566")  # of one that the viewer does not see


def draw(table: Table, to: int, play_on: bool, viewer: int | None) -> str:
    """Return one SVG element: what ``viewer`` sees of a position, all of it for ``None``."""
    laid = [(*place_of(anchor), placed_text(anchor, way)) for anchor, way in table.laid()]
    west = min(x for x, _, _ in laid) - 1
    columns = max(x for x, _, _ in laid) + 3 - west
    top = laid[-1][1]
    width = max(_LEAST_WIDTH, (columns + 1) * _CELL + 2 * _MARGIN)
    left = (width - columns * _CELL) // 2
    ground = _MARGIN + (top + 1) * _CELL

    body = list(_axes(range(west, west + columns), top, left, ground, width))
    for x, y, text in laid:
        corner = left + (x - west) * _CELL, ground - (y + 1) * _CELL
        body.append(_tile(text[:2], *corner, _CELL, _TRUNK if y == 0 else _LEAF, title=text))

    bottom = ground + 56
    for player, hand in enumerate(table.hands):
        tiles = [TILE_TEXTS[tile] for tile in tiles_of(hand)]
        name = f"player {player}{_note(table, to, player)}"
        lines, bottom = _rack(name, tiles, viewer not in (None, player), bottom, player == to)
        body += lines
    supply = [TILE_TEXTS[tile] for tile in table.supply]
    lines, bottom = _rack(f"supply: {len(supply)}", supply, viewer is not None, bottom, False)
    body += lines

    over = to == OVER
    title = f"over: {table.why_over(play_on=play_on)}" if over else f"player {to} to act"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" '
            f'width="{width}" height="{bottom}" font-family="sans-serif" font-size="14">',
            f"<title>The Tree: {title}</title>",
            f'<rect width="{width}" height="{bottom}" fill="{_PAPER}"/>',
            *body,
            "</svg>",
        ]
    )


def _axes(columns: range, top: int, left: int, ground: int, width: int) -> Iterator[str]:
    """Draw the ground, the number of each column below it and of each row on the left."""
    yield f'<rect x="0" y="{ground}" width="{width}" height="6" fill="{_GROUND}"/>'
    for i, x in enumerate(columns):
        yield _small_text(str(x), left + i * _CELL + _CELL // 2, ground + 22)
    for y in range(top + 1):
        yield _small_text(str(y), _MARGIN, ground - y * _CELL - _CELL // 2 + 4)


def _rack(
    name: str, tiles: Sequence[str], hidden: bool, top: int, acting: bool
) -> tuple[list[str], int]:
    """Draw a named row of tiles, in several lines if it is long; also where the next one begins."""
    weight = ' font-weight="bold"' if acting else ""
    lines = [f'<text x="{_MARGIN}" y="{top}" fill="{_INK}"{weight}>{name}</text>']
    for i, tile in enumerate(tiles):
        row, column = divmod(i, _PER_LINE)
        x = _MARGIN + column * (2 * _SMALL + _GAP)
        y = top + 10 + row * (_SMALL + _GAP)
        if hidden:
            lines.append(_box(x, y, _SMALL, _BACK))
        else:
            lines.append(_tile(tile, x, y, _SMALL, _OPEN, title=tile))
    rows = -(-len(tiles) // _PER_LINE)
    return lines, top + 32 + rows * (_SMALL + _GAP)


def _tile(symbols: str, x: int, y: int, size: int, colours: tuple[str, str], title: str) -> str:
    """Draw a tile with its left symbol and its right one; (x,y) is the corner at the top left."""
    middle = x + size
    parts = [
        f"<g><title>{title}</title>",
        _box(x, y, size, colours),
        f'<path d="M{middle} {y + 5}v{size - 10}" stroke="{colours[1]}" stroke-opacity="0.45"/>',
        *_rings(int(symbols[0]), x + size // 2, y + size // 2, size),
        *_rings(int(symbols[1]), middle + size // 2, y + size // 2, size),
        "</g>",
    ]
    return "".join(parts)


def _box(x: int, y: int, size: int, colours: tuple[str, str]) -> str:
    fill, edge = colours
    return (
        f'<rect x="{x + 1}" y="{y + 1}" width="{2 * size - 2}" height="{size - 2}" '
        f'rx="{size // 6}" fill="{fill}" stroke="{edge}" stroke-width="{_number(size / 25)}"/>'
    )


def _rings(symbol: int, x: int, y: int, size: int) -> Iterator[str]:
    """Draw the rings of a symbol round (x,y): pip 1, small circle 2, big circle 4."""
    stroke = f'fill="none" stroke="{_INK}" stroke-width="{_number(size * 0.06)}"'
    if symbol & 1:
        yield f'<circle cx="{x}" cy="{y}" r="{_number(size * 0.09)}" fill="{_INK}"/>'
    if symbol & 2:
        yield f'<circle cx="{x}" cy="{y}" r="{_number(size * 0.21)}" {stroke}/>'
    if symbol & 4:
        yield f'<circle cx="{x}" cy="{y}" r="{_number(size * 0.36)}" {stroke}/>'


def _small_text(text: str, x: int, y: int) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="11" text-anchor="middle" fill="{_FAINT}">{text}</text>'
    )


def _note(table: Table, to: int, player: int) -> str:
    if table.drops.has(player):
        return ", dropped"
    if player in table.out:
        return f", out: place {table.out.index(player) + 1}"
    return ", to act" if player == to else ""


def _number(value: float) -> str:
    """Write a length the same way everywhere, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
