"""Actions and events in sentences for people, and what to click next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.the_tree.grid import place_of
from engines.the_tree.text import read_action

_TILE = re.compile(r"\b(\d)(\d)(@0:0)?\b")  # where the first one is need not be said
_EVENTS = {
    "hand": "the hand was dealt: {1}",
    "start": "{{{1}}} began with the tile {2}",
    "draw": "{{{1}}} could not place and drew a tile",
    "drew": "the tile drawn is {1}",
    "pass": "{{{1}}} passed",
    "extra": "{{{1}}} earned an extra turn",
    "out": "{{{1}}} placed the last tile of the hand: place {2}",
    "blocked": "nobody could place a tile: the game is blocked",
}


def prompt(clicks: Sequence[str]) -> str:
    """Say what to choose after some clicks."""
    if not clicks:
        return "Choose a tile of your hand."
    low, high = (clicks[0].split(" ") * 2)[-2:]
    if len(clicks) == 1:
        return f"Choose the cell of the tree for the {low} of the tile {low}-{high}."
    return f"The {low} is in {clicks[1]}: choose the cell beside it for the {high}."


def action_words(action: str) -> str:
    """Say what an action does, without who does it; raises ``IllegalAction``."""
    anchor, way = read_action(action)
    x, y = place_of(anchor)
    return f"places {way >> 3} and {way & 7} at column {x}, row {y}"


def event_words(event: str) -> str:
    """Say an event as a sentence; a text that is none stays as it is."""
    words = [_TILE.sub(r"\1-\2", word).replace(",", ", ") for word in event.split(" ")]
    try:
        return _EVENTS[words[0]].format(*words)
    except (KeyError, IndexError):
        return event
