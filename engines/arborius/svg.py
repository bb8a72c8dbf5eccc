"""A position drawn as one SVG element: the boards that can be reached, then the others, small.

A stack is drawn as seen from the front and above: its top tile whole, the covered ones as strips
under it. Beside the boards all tiles are listed, with their abilities and where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engines.arborius.cast import COLOURS, ROOT, Cast
from engines.arborius.clicks import Click, clicks, place_label, words
from engines.arborius.grid import cell_at
from engines.arborius.picture import board_name, rows_and_columns, under_way
from engines.arborius.position import DEAD, DECK, Position
from engines.arborius.signs import (
    GAP,
    KEY,
    STRIP,
    TALL,
    WIDE,
    ability,
    key,
    length,
    sign,
    strip,
    tile,
)
from engines.core.choices import GAP as BESIDE
from engines.core.choices import Choices
from engines.core.drawing import Piece, Seat, frame, rect, text
from engines.core.typed import NamedTuple

_MARGIN = 14

_WIDTH = 1000

_SIDE = 250  # width of a list of tiles, and of the key

_BOARDS = _WIDTH - _SIDE - 3 * _MARGIN  # of the boards, if the lists are beside them

_NOTES = 420  # of what is under way and of the buttons: a narrow page shows them whole

_LEFT, _TOP = 26, 40  # from a board's corner to its first cell: numbers, its name

_ROW = 20  # height of a tile in its list

_SIGNS = 92  # width of its ability there

_Box = tuple[int, int, int, int]  # left, top, width, height


class _Sheet(NamedTuple):
    """A piece of the picture, its upper left corner at 0, 0.

    ``places`` says where tiles are on it, and as -1 and -2 the names of the players 0 and 1;
    ``cells`` where those of the board are. One that is ``folded`` a narrow page shows when asked.
    """

    width: int
    height: int
    lines: list[str]
    places: dict[int, _Box]
    board: int = DECK
    cells: Mapping[int, _Box] = {}
    folded: bool = False


def draw_svg(
    pos: Position,
    seats: Sequence[Seat],
    status: str,
    marked: tuple[int, Iterable[int]] | None,
    choices: Sequence[str],
) -> str:
    """Draw all boards, the lists of tiles and the key to their signs.

    Args:
        pos: the position.
        seats: the players' rows of the legend.
        status: what goes on.
        marked: who took the last action, and the tiles that it was about.
        choices: the actions that are built by clicks.
    """
    picks = clicks(pos, choices)
    boards = [_board(pos, board, picks) for board in _in_order(pos)]
    lists = [_list(pos, player, seats[player].name) for player in (0, 1)]
    below = [_notes(pos)]
    if choices:
        strip, height = picks.buttons(words(pos, picks), 0, 0, _NOTES)
        below.append(_Sheet(_NOTES, height + BESIDE, strip, {}))
    laid, size = _lay_out(boards, below, [*lists, _key()])
    body: list[str] = []
    found: dict[int, _Box] = {}
    spots: list[str] = []
    for x, y, sheet in laid:
        body += [f'<g transform="translate({x} {y})">', *sheet.lines, "</g>"]
        for number, (left, top, wide, tall) in sheet.places.items():
            found.setdefault(number, (x + left, y + top, wide, tall))
            tile = f"{pos.cast.ids[number]} {pos.cast.name(number)}" if number >= 0 else ""
            spots += picks.spot(("tile", number, 0), tile, x + left, y + top, wide, tall)
        for cell, (left, top, wide, tall) in sheet.cells.items():
            named = place_label(pos, sheet.board, cell)
            spots += picks.spot(("cell", sheet.board, cell), named, x + left, y + top, wide, tall)
    if marked is not None:
        boxes = [found[number] for number in marked[1]] or [found[-1 - marked[0]]]
        body.append(f'<g class="last">{"".join(map(_ring, boxes))}</g>')
    pieces = [
        Piece(x - 4, y - 4, sheet.width + 8, sheet.height + 8, sheet.folded)
        for x, y, sheet in laid
        if sheet.height
    ]
    return frame("Arborius", seats, status, size, body + spots, pieces)


def _lay_out(
    boards: list[_Sheet], notes: list[_Sheet], pages: list[_Sheet]
) -> tuple[list[tuple[int, int, _Sheet]], tuple[int, int]]:
    """Return where everything is, and how large that is.

    The notes are below the boards, and the pages beside them, or below if the root is too wide.
    """
    root = boards[0].width
    beside = root <= _BOARDS
    width = _BOARDS if beside else max(root, _WIDTH - 2 * _MARGIN)
    corners = pack([sheet[:2] for sheet in boards], width, _MARGIN)
    laid = [(_MARGIN + x, y, sheet) for (x, y), sheet in zip(corners, boards, strict=True)]
    low = max([y + sheet.height for _, y, sheet in laid]) + _MARGIN
    for sheet in notes:
        laid.append((_MARGIN, low, sheet))
        low += sheet.height
    x, y = (width + 2 * _MARGIN, 0) if beside else (_MARGIN, low)
    for page in pages:
        laid.append((x, y, page))
        low = max(low, y + page.height + _MARGIN)
        x, y = (x, y + page.height + _MARGIN) if beside else (x + _SIDE + _MARGIN, y)
    return laid, (max(_WIDTH, root + 2 * _MARGIN), low)


def _in_order(pos: Position) -> list[int]:
    """Return the root, then the boards that can be reached, then the others; empty ones not."""
    inside = [number for number in range(pos.cast.size) if pos.boards[number]]
    return [ROOT, *sorted(inside, key=lambda number: not pos.active(number))]


def _ring(box: _Box) -> str:
    left, top, width, height = box
    place = f'x="{left - 2}" y="{top - 2}" width="{width + 4}" height="{height + 4}"'
    return f'<rect {place} rx="7"/>'


# Boards
def _board(pos: Position, board: int, picks: Choices[Click]) -> _Sheet:
    """Draw a board, with all tiles as strips if it cannot be reached."""
    targets = [cell for kind, on, cell in picks if kind == "cell" and on == board]
    rows, columns = rows_and_columns(pos, board, targets)
    cells, active = pos.boards[board], pos.active(board)
    stacks: list[str] = []
    tiles: dict[int, _Box] = {}
    spots: dict[int, _Box] = {}
    numbers: list[str] = []
    top = _TOP
    for y in rows:
        highest = max([1, *[len(cells.get(cell_at(x, y), ())) for x in columns]])
        spot = TALL if active else STRIP - 2
        numbers.append(text(_LEFT - 9, top + spot // 2 + 4, str(y), "faint small end"))
        for i, x in enumerate(columns):
            left, stack = _LEFT + i * (WIDE + GAP), cells.get(cell_at(x, y))
            spots[cell_at(x, y)] = (left, top, WIDE, spot)
            if stack:
                stacks += _stack(pos, stack, left, top, whole=active, tiles=tiles)
            else:
                stacks.append(rect(left, top, WIDE, spot, "cell", rounded=7))
        covered = (highest - 1) * STRIP
        top += spot + GAP + (covered + GAP if covered and active else covered)
    for i, x in enumerate(columns):
        middle = _LEFT + i * (WIDE + GAP) + WIDE // 2
        numbers.append(text(middle, _TOP - 10, str(x), "faint small mid"))
    title = board_name(pos, board) + ("" if active else ", out of reach")
    width = max(_LEFT + len(columns) * (WIDE + GAP), 8 * len(title) + 24)
    ground = rect(0, 0, width, top, f"{_ground(pos, board)} rule-line", rounded=9)
    head = text(10, 17, title, "ink bold" if active else "ink")
    return _Sheet(width, top, [ground, head, *numbers, *stacks], tiles, board, spots)


def _ground(pos: Position, board: int) -> str:
    if board == ROOT:
        return "field"
    return f"tint{pos.cast.owner[board]}" if pos.active(board) else "paper"


def _stack(
    pos: Position,
    stack: tuple[int, ...],
    x: int,
    y: int,
    *,
    whole: bool,
    tiles: dict[int, _Box],
) -> Iterator[str]:
    """Draw a stack from the top down, and note where its tiles are."""
    for number in reversed(stack):
        if whole:
            yield from tile(pos, number, x, y)
            tiles[number] = (x, y, WIDE, TALL)
            y, whole = y + TALL + GAP, False
        else:
            yield from strip(pos, number, x, y)
            tiles[number] = (x, y, WIDE, STRIP - 2)
            y += STRIP


# Beside the boards
def _list(pos: Position, player: int, name: str) -> _Sheet:
    """List a player's tiles: abilities as signs, and where each is."""
    lines = [text(8, 19, f"{COLOURS[player]}: {name}", "ink bold", room=_SIDE - 16)]
    places = {-1 - player: (2, 2, _SIDE - 4, 24)}
    top = 28
    for number in pos.cast.tiles[player]:
        home, icons = pos.home[number], pos.cast.icons[number]
        long = length(icons) > _SIGNS
        height = _ROW + (16 if long else 0)
        places[number] = (4, top, _SIDE - 8, height - 2)
        if home == DECK:
            lines.append(rect(*places[number], "cell", rounded=4))
        lines.append(_entry(pos.cast, number, top))
        if long:
            words = pos.cast.texts[number].partition("[")[2].rstrip("]")
            lines.append(text(38, top + 29, words, "ink small", room=_SIDE - 46))
        where = "deck" if home == DECK else "dead" if home == DEAD else f"in {pos.cast.ids[home]}"
        lines.append(text(_SIDE - 8, top + 13, where, "ink small end"))
        if home == DEAD:
            lines.append(f'<path class="ink-line" d="M8 {top + 9}H100"/>')
        top += height
    ground = rect(0, 0, _SIDE, top + 6, f"tint{player}", rounded=9)
    return _Sheet(_SIDE, top + 6, [ground, *lines], places, folded=True)


def _entry(cast: Cast, number: int, top: int) -> str:
    """Write what never changes in a tile's row."""
    owner, name = cast.owner[number], cast.name(number)
    return (
        f"<g>{rect(6, top + 1, 26, _ROW - 4, f'p{owner}', rounded=4)}"
        f"{text(19, top + 13, cast.ids[number], f'on{owner} small mid')}"
        f"{text(38, top + 13, name if len(name) < 10 else name[:8] + '…', 'ink small')}"
        f"{ability(cast.icons[number], 104, top + 2, _SIGNS, 'ink')}</g>"
    )


def _key() -> _Sheet:
    lines = [*key(8, 4, 3, 84)]
    top = 4 + 19 * 4 + 14
    for line in KEY:
        lines.append(text(8, top, line, "faint small"))
        top += 17
    for verb, meaning in (
        ("attack", "on a tile: its highest stack inside"),
        ("defend", "its stacks inside: so much kills it"),
    ):
        lines.append(
            f"<g>{sign(verb, 8, top - 12, 'ink')}{text(28, top, meaning, 'faint small')}</g>"
        )
        top += 17
    return _Sheet(_SIDE, top, lines, {}, folded=True)


def _notes(pos: Position) -> _Sheet:
    """Write what is under way."""
    notes = list(under_way(pos))
    lines = [text(0, 12 + 18 * k, note, "ink small", room=_NOTES) for k, note in enumerate(notes)]
    return _Sheet(_NOTES, 18 * len(notes), lines, {})


def pack(sizes: Sequence[tuple[int, int]], width: int, gap: int) -> list[tuple[int, int]]:
    """Return the upper left corners of rectangles that do not overlap.

    Nothing is put below what hangs over, so this is quick for any number of them.

    Args:
        sizes: widths and heights, in the order in which they are placed. One wider than the sheet
            stands out to the right.
        width: of the sheet.
        gap: the least distance between two of them.

    >>> pack([(50, 40), (30, 20), (30, 20), (90, 10)], 100, 10)
    [(0, 0), (60, 0), (60, 30), (0, 60)]
    """
    free = [0] * width  # in each column, where it is free from
    corners = []
    for wide, tall in sizes:
        steps = [x for x in range(1, width - wide + 1) if free[x] != free[x - 1]]
        y, x = min([(max(free[x : x + wide]), x) for x in (0, *steps)])
        corners.append((x, y))
        end = min(width, x + wide + gap)
        free[x:end] = [y + tall + gap] * (end - x)
    return corners
