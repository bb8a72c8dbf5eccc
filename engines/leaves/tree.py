"""The tree of tiles, and what one leaf pushed into it does.

A tree is written as an observation shows it: rows north to south joined by ``/``, each west to
east, exactly its bounding box; ``#`` is a log, ``a`` and ``b`` are leaves, ``.`` is empty. As
``bytes`` that text is a flat board too: with ``stride = width + 1`` a column is the slice
``[c::stride]``, and the ``/`` keeps the ends of neighbouring rows apart. The rules quoted are those
of docs/rules/leaves.md, "Placing one leaf".
"""

from __future__ import annotations

from functools import lru_cache

SIDES = "NESW"
CLOCKWISE = dict(zip(SIDES, "ESWN", strict=True))
LEAF = (b"a", b"b")  # of player 0, of player 1


def _bit_table(tiles: str) -> bytes:
    """Return a translation to binary digits: 1 for these tiles, 0 for all else."""
    return bytes(ord("1") if chr(code) in tiles else ord("0") for code in range(256))


_TILES, _LOGS = _bit_table("#ab"), _bit_table("#")
_LEAVES = (_bit_table("a"), _bit_table("b"))
_OUTLINE = bytes.maketrans(b"ab", b"##")


@lru_cache(maxsize=256)  # each tree is asked several times
def size(board: bytes) -> tuple[int, int]:
    """Return the height and width of the bounding box.

    >>> size(b"#.#/###")
    (2, 3)
    """
    width = board.find(b"/")
    if width < 0:
        return 1, len(board)
    return (len(board) + 1) // (width + 1), width


def lines(board: bytes, side: str) -> int:
    """Return how many lines a leaf can be pushed along from a side: columns or rows."""
    return size(board)[side in "NS"]


def push(board: bytes, side: str, line: int, distance: int, leaf: bytes) -> bytes:
    """Push a leaf in and return the tree in its new bounding box, whole or not.

    Args:
        board: a tree.
        side: where the leaf comes from, one of ``SIDES``.
        line: the column (from N and S) or row (from E and W), counted from 1.
        distance: how many cells it moves on once it is next to the first tile, 1 or more.
        leaf: the tile.

    >>> push(b"..#/.#b/..a", "W", 3, 1, b"b")
    b'..#./.#b./..ba'
    """
    width, far = size(board)[1], side in "SE"
    stride = width + 1
    if side in "NS":
        moved, grown = _slid(board[line - 1 :: stride], far, distance, leaf)
        row = b"." * width
        if grown:
            board = (row + b"/") * grown + board if far else board + (b"/" + row) * grown
        cells = bytearray(board)
        cells[line - 1 :: stride] = moved
        return bytes(cells) if distance == 1 else _without_empty_rows(bytes(cells), row)
    rows = board.split(b"/")
    moved, grown = _slid(rows[line - 1], far, distance, leaf)
    if grown:
        row = b"." * grown
        rows = [row + other if far else other + row for other in rows]
    rows[line - 1] = moved
    return b"/".join(rows if distance == 1 else _without_empty_columns(rows))


def _slid(cells: bytes, far: bool, distance: int, leaf: bytes) -> tuple[bytes, int]:
    """Return a line after the push, and by how many cells it has become longer.

    ``far``: the leaf comes from the line's last cell. Each step closes the gap nearest to the
    leaf by one cell, so all of them together take away the first ``distance`` empty cells; the line
    becomes longer where it has fewer.
    """
    if far:
        cells = cells[::-1]
    ahead = cells.lstrip(b".")
    passed = len(cells) - len(ahead) + distance - 1
    moved = b"." * passed + leaf + ahead.replace(b".", b"", distance)
    return (moved[::-1] if far else moved), len(moved) - len(cells)


def _without_empty_rows(board: bytes, row: bytes) -> bytes:
    while board.startswith(row + b"/"):
        board = board[len(row) + 1 :]
    while board.endswith(b"/" + row):
        board = board[: -len(row) - 1]
    return board


def _without_empty_columns(rows: list[bytes]) -> list[bytes]:
    west = min(len(row) - len(row.lstrip(b".")) for row in rows)
    east = max(len(row.rstrip(b".")) for row in rows)
    return [row[west:east] for row in rows]


def lengthened(board: bytes) -> tuple[bytes, bytes]:
    """Return for each column, and for each row, from which sides a push by one makes it longer.

    Each is a number that ``GROWS`` of a side translates to 1 or 0.
    """
    board = outline(board)  # so that lines are found again
    stride = size(board)[1] + 1
    columns = [board[column::stride] for column in range(stride - 1)]
    return bytes(map(_ends, columns)), bytes(map(_ends, board.split(b"/")))


def line_of(board: bytes, side: str, line: int) -> bytes:
    """Return the cells of a line that a leaf can be pushed along from a side."""
    return board[line - 1 :: size(board)[1] + 1] if side in "NS" else board.split(b"/")[line - 1]


def grows(line: bytes, side: str) -> bool:
    """Return whether a push by one from a side makes a line longer, and so the bounding box.

    It does where the run that the leaf pushes ends at the far edge.
    """
    return GROWS[side][_ends(line)] == 1


@lru_cache(maxsize=1 << 12)
def _ends(line: bytes) -> int:
    """Return 1 if a push from the first cell makes a line longer, and 2 if one from the last."""
    return (b"." not in line.lstrip(b".")) + 2 * (b"." not in line.rstrip(b"."))


GROWS = {
    side: bytes(code & (1 if side in "NW" else 2) > 0 for code in range(256)) for side in SIDES
}
"""For each side, from what ``lengthened`` says of a line to 1, if it becomes longer, or 0."""


def is_whole(board: bytes) -> bool:
    """Return whether the tiles are one piece by touching.

    >>> is_whole(b"#./.#"), is_whole(b"##/.#")
    (False, True)
    """
    stride = size(board)[1] + 1
    tiles = int(board.translate(_TILES), 2)
    piece = tiles & -tiles
    while True:
        spread = tiles & (piece | piece << 1 | piece >> 1 | piece << stride | piece >> stride)
        if spread == piece:
            return piece == tiles
        piece = spread


def outline(board: bytes) -> bytes:
    """Return the tree with all tiles alike: what a push does to the shape depends on no more."""
    return board.translate(_OUTLINE)


def held(board: bytes) -> tuple[int, int]:
    """Return how many leaves of each player touch a log: the score.

    >>> held(b"a..../#abbb/b####")
    (2, 4)
    """
    return held_in(board, size(board)[1] + 1)


def held_in(cells: bytes, stride: int) -> tuple[int, int]:
    """Return the score of a tree that lies in a flat board, rows apart by at least one cell."""
    logs = int(cells.translate(_LOGS), 2)
    near = logs << 1 | logs >> 1 | logs << stride | logs >> stride
    first, second = (int(cells.translate(table), 2) for table in _LEAVES)
    return (first & near).bit_count(), (second & near).bit_count()
