"""Positions as text: ``.#/.#/#a/.#/.# 1 9,10 2 *`` is a board, who acts, hands, count, side."""

from __future__ import annotations

from engines.core.errors import BadSetup
from engines.core.text import fields, natural
from engines.core.typed import NamedTuple
from engines.leaves.tree import SIDES, is_whole

__all__ = ["Position", "read_position"]

_MOST_IN_HAND = 10


class Position(NamedTuple):
    """The fields of a state, in the order of its text; player -1 when the game is over."""

    board: bytes
    player: int
    hands: tuple[int, int]
    leaves: int
    side: str


def read_position(text: str, *, single: bool, over: bool) -> Position:
    """Read a position; ``single``: of a game with one leaf a turn, ``over``: ended by a drop.

    Raises:
        BadSetup: it is not valid; docs/rules/leaves.md, "Observation and setup".
    """
    board, player, hands, leaves, side = fields(text, 5, "BOARD PLAYER HAND0,HAND1 COUNT FROM")
    left = _read_hands(hands)
    ended = over or left == (0, 0)
    if ended != (player == "-") or (ended and (leaves, side) != ("0", "-")):
        raise BadSetup('a game ends with "- 0,0 0 -", or with a drop and "- HAND0,HAND1 0 -"')
    if ended:
        return Position(_read_board(board), -1, left, 0, "-")
    if player not in ("0", "1"):
        raise BadSetup(f'PLAYER is 0, 1 or -, not "{player}"')
    most = min(left[int(player)], 1 if single else 2)
    count = natural(leaves)
    if count is None or not 1 <= count <= most:
        raise BadSetup(f"COUNT is 1 to {most} here, not {leaves}")
    if side != "*" and not (single and len(side) == 1 and side in SIDES):
        allowed = "*, N, E, S or W" if single else "* unless turns=single"
        raise BadSetup(f'FROM is {allowed}, not "{side}"')
    return Position(_read_board(board), int(player), left, count, side)


def _read_board(text: str) -> bytes:
    rows = text.split("/")
    if not set(text) <= set("#ab./"):
        raise BadSetup("BOARD consists of # a b . and of / between rows")
    if not rows[0] or len({*map(len, rows)}) != 1:
        raise BadSetup("the rows of BOARD have one length, at least 1")
    outer = (
        rows[0],
        rows[-1],
        text[:: len(rows[0]) + 1],
        text[len(rows[0]) - 1 :: len(rows[0]) + 1],
    )
    if any(line.strip(".") == "" for line in outer):
        raise BadSetup("BOARD is exactly the bounding box: no outer row or column is empty")
    board = text.encode()
    if not is_whole(board):
        raise BadSetup("the tiles of BOARD are not one piece")
    return board


def _read_hands(text: str) -> tuple[int, int]:
    first, _, second = text.partition(",")
    left = (natural(first), natural(second))
    if left[0] is None or left[1] is None or max(left[0], left[1]) > _MOST_IN_HAND:
        raise BadSetup(f'hands are two numbers up to {_MOST_IN_HAND}, like "10,9", not "{text}"')
    return left[0], left[1]
