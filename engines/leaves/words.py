"""Turns in sentences for people, and what to click next."""

from __future__ import annotations

from collections.abc import Sequence

from engines.leaves.moves import Rules, Turn

SIDE_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def prompt(leaves: int, side: str, rules: Rules, clicks: Sequence[str]) -> str:
    """Say what to choose after some clicks, in a turn of so many leaves from a side or any."""
    number, cell = divmod(len(clicks), 2) if rules.any_distance else (len(clicks), 0)
    leaf = "the leaf" if leaves == 1 else ("the first leaf", "the second leaf")[number > 0]
    if cell:
        return f"Choose the cell that {leaf} is pushed to."
    if number:
        first = f"{clicks[0]}; the list counts lines with that leaf, the board does not yet"
        return f"Choose where {leaf} enters. First: {first}."
    begin = f", from the {SIDE_WORDS[side]}" if side in SIDE_WORDS else ""
    return f"Choose where {leaf} enters{begin}."


def turn_words(turn: Turn) -> str:
    """Say what a turn does, without who does it."""
    leaves = []
    for side, line, distance in turn:
        by = f", {distance} cells far" if distance > 1 else ""
        what = "column" if side in "NS" else "row"
        leaves.append(f"into {what} {line} from the {SIDE_WORDS[side]}{by}")
    return f"pushes a leaf {', then one '.join(leaves)}"
