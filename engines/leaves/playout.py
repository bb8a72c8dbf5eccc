"""Uniformly random play to the end, fast: the score of one random game.

Under ``push=one`` no push can be illegal, so nothing is checked and nothing copied. The tree lies
in one ``bytearray`` with room on all sides: a line is a slice, a push rewrites one slice, and the
bounding box is four numbers. (About 2 µs a turn; drawing and applying texts takes 11.)
"""

from __future__ import annotations

from functools import lru_cache

from engines.core.typed import TYPE_CHECKING
from engines.leaves.moves import Plan, Rules, random_turn
from engines.leaves.tree import LEAF, SIDES, held, held_in, push, size

if TYPE_CHECKING:
    import random

_EMPTY, _EMPTY_CODE = b".", ord(".")
_NORTH, _EAST, _SOUTH, _WEST = range(4)  # clockwise, as in SIDES; odd: along rows
_LONE, _FIRST, _SECOND = range(3)  # which leaf of its turn


def play_out(
    board: bytes, plan: Plan, sides: str, rules: Rules, rng: random.Random
) -> tuple[int, int]:
    """Play random turns to the end and return the score.

    Args:
        board: the tree.
        plan: who places how many leaves, in each of the turns to come.
        sides: what the next leaf may come from: all sides, or one under ``turns=single``.
        rules: the game's.
        rng: draws everything.
    """
    if not rules.any_distance:
        return _play_by_one(board, plan, sides, rules, rng)
    for player, leaves in plan:
        turn = random_turn(board, sides, leaves, rules, rng)
        for placement in turn:
            board = push(board, *placement, LEAF[player])
        if rules.turns == "single":
            sides = rules.second_sides(turn[0].side)
    return held(board)


def _play_by_one(
    board: bytes, plan: Plan, sides: str, rules: Rules, rng: random.Random
) -> tuple[int, int]:
    """Play under ``push=one``.

    A turn of two leaves is drawn as a first placement and the number of a second one, from a box
    with one more number for each first placement than there are lines (two more if any side will
    do): these numbers exist only if the first push makes the box longer; else it is drawn again.
    """
    free, single = rules.turns == "free", rules.turns == "single"
    leaves = _leaves(plan)
    cells, stride, top, left = _with_room(board, len(leaves) + 1)
    tall, (height, width) = len(cells) // stride, size(board)
    bottom, right = top + height - 1, left + width - 1  # the box: first and last rows, columns
    forced = len(sides) == 1
    side = SIDES.index(sides) - 1 if forced else 0  # of the leaf before
    second = 0
    draw01 = rng.random
    for leaf, kind in leaves:
        while True:
            height, width = bottom - top + 1, right - left + 1
            beyond = False  # the number drawn exists only if this push makes the box longer
            if kind == _SECOND:
                if free:
                    side, line = _nth(second, height, width)
                else:
                    side, line = (side + 1) & 3, second
            elif kind == _LONE:
                if forced:
                    side = (side + 1) & 3
                    line = int(draw01() * (height if side & 1 else width))
                else:
                    side, line = _nth(int(draw01() * 2 * (height + width)), height, width)
                    forced = single
            elif free:
                around = 2 * (height + width)
                second, number = divmod(int(draw01() * around * (around + 2)), around)
                beyond = second >= around
                side, line = _nth(number, height, width)
            else:
                columns, rows = width * (height + 1), height * (width + 1)
                number = int(draw01() * 2 * (columns + rows))
                if number < 2 * columns:
                    side = _NORTH if number < columns else _SOUTH
                    second, line = divmod(number % columns, width)
                    beyond = second == height
                else:
                    number -= 2 * columns
                    side = _EAST if number < rows else _WEST
                    second, line = divmod(number % rows, height)
                    beyond = second == width

            # The push: what lies ahead of the leaf up to the first gap moves by one cell.
            if side == _NORTH:
                at = left + line
                ahead = cells[at::stride].lstrip(_EMPTY)
                if beyond and ahead.find(_EMPTY) != bottom + 1 - tall + len(ahead):
                    continue
                cells[at + (tall - len(ahead)) * stride :: stride] = leaf + ahead.replace(
                    _EMPTY, b"", 1
                )
                if cells[at + (bottom + 1) * stride] != _EMPTY_CODE:
                    bottom += 1
            elif side == _SOUTH:
                at = left + line
                ahead = cells[at::stride].rstrip(_EMPTY)
                before, _, run = ahead.rpartition(_EMPTY)
                if beyond and len(before) != top - 1:
                    continue
                cells[at : at + len(ahead) * stride : stride] = before + run + leaf
                if cells[at + (top - 1) * stride] != _EMPTY_CODE:
                    top -= 1
            elif side == _WEST:
                at = (top + line) * stride
                ahead = cells[at : at + stride].lstrip(_EMPTY)
                if beyond and ahead.find(_EMPTY) != right + 1 - stride + len(ahead):
                    continue
                cells[at + stride - len(ahead) : at + stride] = leaf + ahead.replace(_EMPTY, b"", 1)
                if cells[at + right + 1] != _EMPTY_CODE:
                    right += 1
            else:
                at = (top + line) * stride
                ahead = cells[at : at + stride].rstrip(_EMPTY)
                before, _, run = ahead.rpartition(_EMPTY)
                if beyond and len(before) != left - 1:
                    continue
                cells[at : at + len(ahead)] = before + run + leaf
                if cells[at + left - 1] != _EMPTY_CODE:
                    left -= 1
            break
    return held_in(bytes(cells[top * stride : (bottom + 1) * stride]), stride)


@lru_cache(maxsize=256)
def _leaves(plan: Plan) -> tuple[tuple[bytes, int], ...]:
    """Return the leaves in the order they are placed, with which of its turn each one is."""
    return tuple(
        (LEAF[player], kind)
        for player, number in plan
        for kind in ((_LONE,) if number == 1 else (_FIRST, _SECOND))
    )


def _with_room(board: bytes, room: int) -> tuple[bytearray, int, int, int]:
    """Lay the tree into a larger board: its cells, stride, and the tree's first row and column."""
    height, width = size(board)
    stride = width + 2 * room
    cells = bytearray(_EMPTY) * (stride * (height + 2 * room))
    for row, tiles in enumerate(board.split(b"/"), start=room):
        cells[row * stride + room : row * stride + room + width] = tiles
    return cells, stride, room, room


def _nth(number: int, height: int, width: int) -> tuple[int, int]:
    """Return side and line (from 0) of a placement, numbered clockwise from the north."""
    if number < width:
        return _NORTH, number
    number -= width
    if number < height:
        return _EAST, number
    number -= height
    return (_SOUTH, number) if number < width else (_WEST, number - width)
