"""Turns as text: ``E4-2`` is row 4 from the east, then column 2 from the south.

The published notation, and what the parameters add to it: ``:2`` for the distance, a second side.
"""

from __future__ import annotations

import re
from functools import cache

from engines.core.errors import IllegalAction
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


def parse_turn(text: str, leaves: int, rules: Rules) -> Turn:
    """Read a turn of 1 or 2 leaves; whether it is legal on a tree is another question.

    Raises:
        IllegalAction: the text is not written as a turn is here.
    """
    match = _pattern(leaves, rules).fullmatch(text)
    if match is None:
        raise IllegalAction(f"expected {_shape(leaves, rules)}")
    side, line, distance, *rest = match.groups()
    first = Placement(side, int(line), int(distance or 1))
    if leaves == 1:
        return (first,)
    side, line, distance = rest
    return first, Placement(side or rules.second_sides(first.side), int(line), int(distance or 1))


_NUMBER = "([1-9][0-9]{0,5})"  # no tree is a million tiles long


@cache
def _pattern(leaves: int, rules: Rules) -> re.Pattern[str]:
    distance = f":{_NUMBER}" if rules.any_distance else "()"
    text = f"([NESW]){_NUMBER}{distance}"
    if leaves == 2:
        side = "([NESW])" if rules.turns == "free" else "()"
        text += f"-{side}{_NUMBER}{distance}"
    return re.compile(text, re.ASCII)


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
