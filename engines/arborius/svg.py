"""A position drawn as one SVG element, for people.

A stack is drawn as seen from the front and above: its top tile large, the covered ones as strips
under it. Every board hangs below the board that its container stands on.
"""

from __future__ import annotations

from engines.arborius.cast import COLOURS, ROOT, bits
from engines.arborius.grid import cell_at
from engines.arborius.picture import containers, rows_and_columns, summary
from engines.arborius.position import DECK, Position
from engines.core.typed import NamedTuple

__all__ = ["draw_svg"]

_TILE = 64  # side of a top tile
_STRIP = 17  # height of a covered tile
_GAP = 8  # around a stack, inside its cell
_MARGIN = 14  # around a board's cells, and between boards
_TITLE = 20  # height of a board's title
_DROP = 26  # from a board down to those inside its tiles
_LINE = 16  # height of a line of text
_CHARACTER = 6.7  # width of one of them
_WIDEST = 96  # characters in a line of text

_STYLE = (
    "text{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:11px;fill:#33402f}"
    ".head{font-size:14px;font-weight:bold}.id{font-size:15px;font-weight:bold}.x{font-size:9px}"
    ".board{fill:#eef1e4;stroke:#8d9a7f}.off{fill:#e3e3e3;stroke:#999;stroke-dasharray:5 4}"
    ".spot{fill:none;stroke:#cdd5c0}.w{fill:#fffaf0;stroke:#a9772c}.b{fill:#2f5d50;stroke:#173029}"
    ".tw{fill:#5c3d0e}.tb{fill:#f2f7ee}.aw{fill:#c98a2b}.ab{fill:#9fd3b8}"
    ".ti{fill:#0e3550}.ice{fill:#bfe3f7;fill-opacity:.62;stroke:#4a9cc9}.flake{stroke:#2d7fae;stroke-width:1.6}"
    ".link{fill:none;stroke:#8d9a7f;stroke-dasharray:2 3}.dim{opacity:.55}"
)


class _Drawing(NamedTuple):
    """A piece of the picture with its upper left corner at 0,0; sizes in pixels."""

    width: int
    height: int
    parts: list[str]

    def at(self, x: int, y: int) -> str:
        return f'<g transform="translate({x},{y})">{"".join(self.parts)}</g>'


def draw_svg(pos: Position) -> str:
    """Draw all boards, the decks and the dead."""
    title = f"Arborius, {summary(pos)}"
    boards, lists = _with_insides(pos, ROOT), _lists(pos)
    width = max(boards.width, lists.width, round(len(title) * 8.6)) + 2 * _MARGIN
    height = _MARGIN + _LINE + boards.height + _MARGIN + lists.height + _MARGIN
    top = _MARGIN + _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><title>{title}</title><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fbfcf8"/>'
        f'<text class="head" x="{_MARGIN}" y="{_MARGIN + 6}">{title}</text>'
        + boards.at(_MARGIN, top)
        + lists.at(_MARGIN, top + boards.height + _MARGIN)
        + "</svg>"
    )


# Boards


def _with_insides(pos: Position, board: int) -> _Drawing:
    """Draw a board and, side by side below it, those inside its tiles."""
    own, foot = _board(pos, board)
    parts, x, low = [own.at(0, 0)], 0, own.height
    links = []
    for tile in containers(pos, board):
        inner = _with_insides(pos, tile)
        from_x = foot[pos.cell[tile]]
        y, to_x = own.height + _DROP, x + 40
        links.append(
            f'<path class="link" d="M{from_x} {own.height}V{own.height + _DROP // 2}H{to_x}V{y}"/>'
        )
        parts.append(inner.at(x, y))
        x += inner.width + _MARGIN
        low = max(low, y + inner.height)
    return _Drawing(max(own.width, x - _MARGIN), low, links + parts)


def _board(pos: Position, board: int) -> tuple[_Drawing, dict[int, int]]:
    """Draw one board; also where, in x, the middle of each occupied cell is."""
    rows, columns = rows_and_columns(pos, board)
    cells, active = pos.boards[board], pos.active(board)
    name = "root" if board == ROOT else f"{pos.cast.ids[board]} {pos.cast.name(board)}"
    title = name if active else f"{name} (disabled)"
    parts, foot = [], {}
    wide, left, y_top = _TILE + _GAP, _MARGIN + 8, _TITLE
    for y in rows:
        highest = max([len(cells.get(cell_at(x, y), ())) for x in columns])
        parts.append(_label(left - 4, y_top + _TILE // 2 + 7, str(y), "end"))
        for i, x in enumerate(columns):
            cell, corner = cell_at(x, y), (left + i * wide + _GAP // 2, y_top + _GAP // 2)
            stack = cells.get(cell)
            parts.append(
                _spot(*corner) if stack is None else _stack(pos, stack, active).at(*corner)
            )
            if stack is not None:
                foot[cell] = left + i * wide + wide // 2
        y_top += _TILE + max(0, highest - 1) * _STRIP + _GAP
    for i, x in enumerate(columns):
        parts.append(_label(left + i * wide + wide // 2, y_top + 12, str(x), "middle"))
    width = max(len(columns) * wide + 2 * _MARGIN + 8, round(len(title) * _CHARACTER) + 24)
    frame = f'class="{"board" if active else "off"}" width="{width}" height="{y_top + _LINE + 4}"'
    head = f'<rect {frame} rx="9"/><text x="10" y="15" font-weight="bold">{title}</text>'
    return _Drawing(width, y_top + _LINE + 4, [head, *parts]), foot


def _label(x: int, y: int, text: str, anchor: str) -> str:
    return f'<text class="x" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def _spot(x: int, y: int) -> str:
    return f'<rect class="spot" x="{x}" y="{y}" width="{_TILE}" height="{_TILE}" rx="6"/>'


# Tiles


def _stack(pos: Position, stack: tuple[int, ...], active: bool) -> _Drawing:
    """Draw a stack: the top tile, and under it the covered ones from the top down."""
    parts = [_top(pos, stack[-1], active)]
    for depth, tile in enumerate(reversed(stack[:-1])):
        parts.append(_strip(pos, tile, _TILE + depth * _STRIP))
    return _Drawing(_TILE, _TILE + (len(stack) - 1) * _STRIP, parts)


def _top(pos: Position, tile: int, active: bool) -> str:
    colour = COLOURS[pos.cast.owner[tile]]
    middle = _TILE // 2
    name = pos.cast.name(tile)
    shown = name if len(name) <= 9 else name[:8] + "."
    text = (
        f'<rect class="{colour}" width="{_TILE}" height="{_TILE}" rx="7" stroke-width="1.8"/>'
        f'<path class="a{colour}" d="M-8 -24L0 -31L8 -24Z" '
        f'transform="translate({middle},{middle}) rotate({90 * pos.face[tile]})"/>'
    )
    if pos.is_frozen(tile):
        text += f'<rect class="ice" width="{_TILE}" height="{_TILE}" rx="7"/>' + _flake(52, 52, 7)
        colour = "i"
    text += (
        f'<text class="id t{colour}" x="{middle}" y="{middle + 3}" text-anchor="middle">'
        f"{pos.cast.ids[tile]}</text>"
        f'<text class="x t{colour}" x="{middle}" y="{middle + 15}" text-anchor="middle">'
        f"{shown}</text>"
    )
    return text if active else f'<g class="dim">{text}</g>'


def _strip(pos: Position, tile: int, y: int) -> str:
    """Draw a covered tile: it can do nothing, so it is dim."""
    colour = COLOURS[pos.cast.owner[tile]]
    text = (
        f'<rect class="{colour}" width="{_TILE}" height="{_STRIP - 2}" rx="4"/>'
        f'<path class="a{colour}" d="M-4 2L0 -4L4 2Z" '
        f'transform="translate(11,{_STRIP // 2}) rotate({90 * pos.face[tile]})"/>'
    )
    if pos.is_frozen(tile):
        text += f'<rect class="ice" width="{_TILE}" height="{_STRIP - 2}" rx="4"/>'
        text += _flake(54, _STRIP // 2 - 1, 5)
        colour = "i"
    text += f'<text class="t{colour}" x="22" y="{_STRIP // 2 + 4}">{pos.cast.ids[tile]}</text>'
    return f'<g class="dim" transform="translate(0,{y + 2})">{text}</g>'


def _flake(x: int, y: int, size: int) -> str:
    """Draw a snowflake: three lines through one point."""
    lines = "".join(
        f'<path d="M0 {-size}V{size}" transform="rotate({angle})"/>' for angle in (0, 60, 120)
    )
    return f'<g class="flake" transform="translate({x},{y})">{lines}</g>'


# Decks and the dead


def _lists(pos: Position) -> _Drawing:
    """Write down the tiles that are on no board."""
    lines: list[str] = []
    for player, colour in enumerate(COLOURS):
        tiles = [t for t in pos.cast.tiles[player] if pos.home[t] == DECK]
        lines += _wrapped(pos, f"{colour} deck:", tiles)
    lines += _wrapped(pos, "dead:", bits(pos.dead))
    parts = [f'<text x="0" y="{_LINE * (i + 1) - 4}">{line}</text>' for i, line in enumerate(lines)]
    return _Drawing(round(max(map(len, lines)) * _CHARACTER), _LINE * len(lines), parts)


def _wrapped(pos: Position, head: str, tiles: list[int]) -> list[str]:
    lines = [head]
    for tile in tiles:
        word = f"{pos.cast.ids[tile]} {pos.cast.texts[tile]}"
        if len(lines[-1]) + len(word) > _WIDEST:
            lines.append("")
        lines[-1] += " " + word + ","
    return [line.rstrip(",") if tiles else f"{line} -" for line in lines]
