"""A position drawn as a picture: the tree on its ground, hands and supply, a key of the symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.core.choices import Choices
from engines.core.drawing import ROW, Piece, Seat, frame, label, outcomes, rect, text, token
from engines.core.errors import IllegalAction
from engines.core.interface import View, standing
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.grid import place_of
from engines.the_tree.table import OVER, Table
from engines.the_tree.text import placed_text, read_action
from engines.the_tree.tiles import SYMBOLS, TILE_OF_WAY, TILE_TEXTS, tile_count, tiles_of

if TYPE_CHECKING:
    from engines.core.interface import Viewer

_CELL = 40  # pixels: half a tile of the tree
_SIDE = 36  # beside the tree
_SMALL = 24  # half a tile in a hand
_GAP = 8  # between tiles of a hand
_PER_LINE = 6  # tiles of a hand side by side
_MARGIN = 16
_INDENT = 48  # where the tiles of a hand begin
_RACK = _INDENT + _PER_LINE * (2 * _SMALL + _GAP) - _GAP + _MARGIN  # width of a hand; two a row
_KEY_STEP = 72  # from one symbol of the key to the next
_EDGE = "faint-line"

_Key = str | tuple[int, int]  # what is clicked: a tile of a hand, or a cell


def draw_svg(table: Table, to: int, play_on: bool, view: View) -> str:
    """Return one SVG element: what the viewer sees of a position."""
    viewer, names, last, _, choices = view
    picks = Choices(choices, _clicks)
    laid = table.laid()
    places = [place_of(anchor) for anchor, _ in laid]
    west = min(x for x, _ in places) - 1
    columns = max(x for x, _ in places) + 3 - west
    top = places[-1][1] + (1 if choices else 0)  # a tile may be the first of its row
    width = max(2 * _RACK, columns * _CELL + 2 * _SIDE)
    left = (width - columns * _CELL) // 2 - west * _CELL
    ground = (top + 1) * _CELL
    body = [rect(0, ground, width, 6, "bark")]
    body += _moved(left, ground, _tree(laid, range(west, west + columns), top))
    marked = last_tile(table, last)
    if marked is not None:
        x, y = place_of(marked)
        body += _moved(left, ground, [_box(x * _CELL, -(y + 1) * _CELL, _CELL, "last")])
    if choices:
        body += _moved(left, ground, _cells(picks))

    bottom = ground + 40
    wide = columns * _CELL + 2 * _SIDE
    pieces = [Piece((width - wide) // 2, 0, wide, bottom - 6)]
    racks = [*_racks(table, viewer, picks), ([*_key()], 2 * (_SMALL + _GAP))]
    for i in range(0, len(racks), 2):
        for x, (lines, height) in zip((0, _RACK), racks[i : i + 2], strict=False):
            x += (width - 2 * _RACK) // 2
            body += _moved(x, bottom, lines)
            pieces.append(Piece(x, bottom - 4, _RACK, height + 8))
        bottom += max(height for _, height in racks[i : i + 2]) + 8
    seats, status = _seats(table, to, names), _status(table, to, play_on, names)
    return frame("The Tree", seats, status, (width, bottom + 8), body, pieces)


def _racks(table: Table, viewer: Viewer, picks: Choices[_Key]) -> Iterator[tuple[list[str], int]]:
    """Yield the hands and the supply, each with its height."""
    for player, hand in enumerate(table.hands):
        tiles = [TILE_TEXTS[tile] for tile in tiles_of(hand)]
        if tiles:
            drawn = _rack(tiles, viewer not in (None, player), picks)
            yield [token(_MARGIN, 2, player), *drawn], _rack_height(tiles)
    if table.supply:
        supply = [TILE_TEXTS[tile] for tile in table.supply]
        title = text(_MARGIN, 17, f"supply: {len(supply)}", "faint")
        rack = _moved(0, ROW, _rack(supply, viewer is not None))
        yield [title, *rack], ROW + _rack_height(supply)


def last_tile(table: Table, last: tuple[int, str] | None) -> int | None:
    """Return the anchor of the tile that an action placed; ``None`` if it placed none."""
    try:
        anchor, way = read_action(last[1] if last else "")
    except IllegalAction:
        return None
    return anchor if anchor << 6 | way in table.placed else None


def _seats(table: Table, to: int, names: Sequence[str]) -> list[Seat]:
    n = len(table.hands)
    # in a blocked game nobody wins, as the status says
    decided = to == OVER and (table.out or table.drops.groups)
    ends = outcomes(table.drops.ranks(standing(table.scores()))) if decided else ("",) * n
    seats = []
    for player in range(n):
        number = tile_count(table.hands[player])
        note = f"{number} tile{'s' * (number != 1)}"
        if table.drops.has(player):
            note += ", dropped"
        elif ends[player]:
            note += f", {ends[player]}"
        elif player in table.out:
            note += f", out: place {table.out.index(player) + 1}"
        seats.append(Seat(label(player, names), note, player == to))
    return seats


def _status(table: Table, to: int, play_on: bool, names: Sequence[str]) -> str:
    if to == OVER:
        return f"over: {table.why_over(names, play_on=play_on)}"
    return f"{label(to, names)} to act"


def _moved(x: int, y: int, lines: Iterable[str]) -> list[str]:
    """Return lines that stay as they are wherever the tree's growth moves them to."""
    return [f'<g transform="translate({x} {y})">', *lines, "</g>"]


def _tree(laid: Sequence[tuple[int, int]], columns: range, top: int) -> Iterator[str]:
    """Draw the tree, the ground being at 0, with the numbers of columns below and rows beside."""
    for y in range(top + 1):
        side = columns[0] * _CELL - _SIDE // 2
        yield text(side, 4 - y * _CELL - _CELL // 2, str(y), "faint small mid")
    for x in columns:
        yield text(x * _CELL + _CELL // 2, 22, str(x), "faint small mid")
    for anchor, way in laid:
        x, y = place_of(anchor)
        name = placed_text(anchor, way)
        paint = "foliage" if y else "trunk"
        yield _tile(name[:2], x * _CELL, -(y + 1) * _CELL, _CELL, paint, title=name)


def _clicks(action: str) -> list[_Key]:
    """Return what is clicked for an action: the tile, the cells of its lower and higher symbol."""
    anchor, way = read_action(action)
    (x, y), (left, right) = place_of(anchor), divmod(way, 8)
    cells = [(x, y), (x + 1, y)]
    return [TILE_TEXTS[TILE_OF_WAY[way]], *(cells if left <= right else reversed(cells))]


def _cells(picks: Choices[_Key]) -> Iterator[str]:
    """Draw the cells that can be clicked, the ground being at 0."""
    for cell in picks:
        if not isinstance(cell, str):
            x, y = cell
            left, top = x * _CELL, -(y + 1) * _CELL
            yield from picks.spot(cell, f"column {x}, row {y}", left, top, _CELL, _CELL)


def _rack(tiles: Sequence[str], hidden: bool, picks: Choices[_Key] | None = None) -> Iterator[str]:
    """Draw a row of tiles, in several lines if it is long."""
    for i, tile in enumerate(tiles):
        row, column = divmod(i, _PER_LINE)
        x = _INDENT + column * (2 * _SMALL + _GAP)
        y = row * (_SMALL + _GAP)
        if hidden:
            yield _box(x, y, _SMALL, f"rule {_EDGE}")
        else:
            yield _tile(tile, x, y, _SMALL, "cell", title=tile)
            if picks is not None:
                label = f"hand: tile {tile[0]} {tile[1]}"
                yield from picks.spot(tile, label, x, y - 3, 2 * _SMALL, _SMALL + 6)


def _rack_height(tiles: Sequence[str]) -> int:
    return -(-len(tiles) // _PER_LINE) * (_SMALL + _GAP)


def _key() -> Iterator[str]:
    """Draw each symbol with the digit that actions call it by."""
    for symbol in SYMBOLS:
        x, y = _INDENT + symbol % 4 * _KEY_STEP, symbol // 4 * (_SMALL + _GAP)
        rings = "".join(_rings(symbol, x + _SMALL // 2, y + _SMALL // 2, _SMALL))
        box = rect(x + 1, y + 1, _SMALL - 2, _SMALL - 2, f"cell {_EDGE}", rounded=4)
        yield f"<g>{box}{rings}</g>"
        yield text(x + _SMALL + 6, y + 17, str(symbol), "ink bold")
    yield text(_MARGIN, 17, "key", "faint")


def _tile(symbols: str, x: int, y: int, size: int, paint: str, title: str) -> str:
    """Draw a tile with its left symbol and its right one; (x,y) is the corner at the top left."""
    middle = x + size
    parts = [
        f"<g><title>{title}</title>",
        _box(x, y, size, f"{paint} {_EDGE}"),
        f'<path class="rule-line" d="M{middle} {y + 5}v{size - 10}"/>',
        *_rings(int(symbols[0]), x + size // 2, y + size // 2, size),
        *_rings(int(symbols[1]), middle + size // 2, y + size // 2, size),
        "</g>",
    ]
    return "".join(parts)


def _box(x: int, y: int, size: int, classes: str) -> str:
    return rect(x + 1, y + 1, 2 * size - 2, size - 2, classes, rounded=size // 6)


def _rings(symbol: int, x: int, y: int, size: int) -> Iterator[str]:
    """Draw the rings of a symbol round (x,y): pip 1, small circle 2, big circle 4."""
    line = f'class="none ink-line" stroke-width="{_number(size * 0.06)}"'
    if symbol & 1:
        yield f'<circle class="ink" cx="{x}" cy="{y}" r="{_number(size * 0.09)}"/>'
    if symbol & 2:
        yield f'<circle cx="{x}" cy="{y}" r="{_number(size * 0.21)}" {line}/>'
    if symbol & 4:
        yield f'<circle cx="{x}" cy="{y}" r="{_number(size * 0.36)}" {line}/>'


def _number(value: float) -> str:
    """Write a length the same way everywhere, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
