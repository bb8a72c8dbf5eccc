"""Turns in sentences for people, and what to click next."""

from __future__ import annotations

from engines.leaves.moves import Rules, Turn

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def prompt(leaves: int, side: str, rules: Rules, clicked: int) -> str:
    """Say what to choose after so many clicks, in a turn of so many leaves from a side or any."""
    number, cell = divmod(clicked, 2) if rules.any_distance else (clicked, 0)
    leaf = "the leaf" if leaves == 1 else ("the first leaf", "the second leaf")[number > 0]
    if cell:
        return f"Choose the cell that {leaf} is pushed to."
    begin = f", from the {_SIDES[side]}" if side in _SIDES and not number else ""
    return f"Choose where {leaf} enters{begin}."


def turn_words(turn: Turn) -> str:
    """Say what a turn does, without who does it."""
    leaves = []
    for side, line, distance in turn:
        by = f", {distance} cells far" if distance > 1 else ""
        what = "column" if side in "NS" else "row"
        leaves.append(f"into {what} {line} from the {_SIDES[side]}{by}")
    return f"pushes a leaf {', then one '.join(leaves)}"
