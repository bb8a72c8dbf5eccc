"""Turns as text: ``E4-2`` is row 4 from the east, then column 2 from the south.

The published notation, and what the parameters add to it: ``:2`` for the distance, a second side.
"""

from __future__ import annotations

from functools import lru_cache

from engines.core.errors import IllegalAction
from engines.core.text import natural
from engines.leaves.tree import CLOCKWISE
from engines.leaves.turns import Placement, Rules, Turn

__all__ = ["parse_turn", "turn_text"]


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
