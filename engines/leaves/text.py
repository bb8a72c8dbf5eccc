"""Turns and setups as text: ``E4-2`` is row 4 from the east, then column 2 from the south.

The published notation, and what the parameters add to it: ``:2`` for the distance, a second side.
"""

from __future__ import annotations

from functools import lru_cache

from engines.core.errors import BadSetup, IllegalAction
from engines.core.text import fields, natural
from engines.leaves.moves import Placement, Rules, Turn
from engines.leaves.tree import CLOCKWISE, SIDES, is_whole


def turn_text(turn: Turn, rules: Rules) -> str:
    """Write a turn.

    >>> turn_text((Placement("E", 4), Placement("S", 2)), Rules(False, "clockwise"))
    'E4-2'
    """
    texts = [
        f"{side}{line}:{distance}" if rules.any_distance else f"{side}{line}"
        for side, line, distance in turn
    ]
    if len(texts) == 2 and rules.turns != "free":
        texts[1] = texts[1][1:]
    return "-".join(texts)


@lru_cache(maxsize=1 << 13)  # the texts of one position are most of those of the next
def parse_turn(text: str, leaves: int, rules: Rules) -> Turn:
    """Read a turn of 1 or 2 leaves; whether it is legal on a tree is another question.

    Raises:
        IllegalAction: the text is not written as a turn is here.
    """
    first, dash, rest = text.partition("-")
    turn = [_read_leaf(first[:1], first[1:], rules)]
    if leaves == 2 and turn[0]:
        free = rules.turns == "free"
        side = rest[:1] if free else rules.second_sides(turn[0].side)
        turn.append(_read_leaf(side, rest[1:] if free else rest, rules))
    if None in turn or bool(dash) != (leaves == 2):
        raise IllegalAction(f"expected {_shape(leaves, rules)}")
    return tuple(leaf for leaf in turn if leaf)


def _read_leaf(side: str, text: str, rules: Rules) -> Placement | None:
    """Read the line and, where there is one, the distance of a leaf; ``None`` if it is none."""
    line, colon, far = text.partition(":")
    number, distance = natural(line), natural(far) if colon else 1
    if side not in CLOCKWISE or bool(colon) != rules.any_distance or not (number and distance):
        return None
    return Placement(side, number, distance) if max(number, distance) < _TOO_LARGE else None


_TOO_LARGE = 1_000_000  # no tree is a million tiles long


def _shape(leaves: int, rules: Rules) -> str:
    """Say how a turn is written, with an example."""
    distance = ":2" if rules.any_distance else ""
    side = "N, E, S or W, the number of a line"
    side += ', ":", a distance' if distance else ""
    if leaves == 1:
        return f"one leaf, like E4{distance}: {side}"
    second = "W" if rules.turns == "free" else ""
    return f'two leaves, like E4{distance}-{second}2{distance}: {side}, "-", the same again' + (
        "" if second else " without the side"
    )


_MOST_IN_HAND = 10


def position_text(board: bytes, player: int, hands: tuple[int, int], leaves: int, side: str) -> str:
    """Return a position as ``BOARD PLAYER HAND0,HAND1 COUNT FROM``; ``read_position`` reads it."""
    to_act = "-" if player < 0 else player
    return f"{board.decode()} {to_act} {hands[0]},{hands[1]} {leaves} {side}"


def read_position(
    text: str, *, single: bool, over: bool
) -> tuple[bytes, int, tuple[int, int], int, str]:
    """Read what ``position_text`` writes of a position; the player is -1 when the game is over.

    Args:
        text: the position.
        single: of a game with one leaf a turn.
        over: ended by a drop.

    Raises:
        BadSetup: it is not valid; docs/rules/leaves.md, "Observation and setup".
    """
    board, player, hands, leaves, side = fields(text, 5, "BOARD PLAYER HAND0,HAND1 COUNT FROM")
    left = _read_hands(hands)
    ended = over or left == (0, 0)
    if ended != (player == "-") or (ended and (leaves, side) != ("0", "-")):
        raise BadSetup('a game ends with "- 0,0 0 -", or with a drop and "- HAND0,HAND1 0 -"')
    if ended:
        return _read_board(board), -1, left, 0, "-"
    if player not in ("0", "1"):
        raise BadSetup(f'PLAYER is 0, 1 or -, not "{player}"')
    most = min(left[int(player)], 1 if single else 2)
    if not most:
        raise BadSetup(f"player {player} is to act without leaves in hand: {hands}")
    count = natural(leaves)
    if count is None or not 1 <= count <= most:
        raise BadSetup(f"COUNT is 1 to {most} here, not {leaves}")
    if side != "*" and not (single and len(side) == 1 and side in SIDES):
        allowed = "*, N, E, S or W" if single else "* unless turns=single"
        raise BadSetup(f'FROM is {allowed}, not "{side}"')
    return _read_board(board), int(player), left, count, side


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
