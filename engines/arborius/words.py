"""Actions and events in sentences for people, and what to click next."""

from __future__ import annotations

from collections.abc import Sequence

from engines.arborius.actions import LEFT, Action
from engines.arborius.cast import COLOURS, ROOT
from engines.arborius.grid import FACES, cell_text
from engines.arborius.position import DEFEND, Position

_FACINGS = dict(zip(FACES, ("north", "east", "south", "west"), strict=True))


def prompt(pos: Position, clicks: Sequence[str]) -> str:
    """Say what to choose after some clicks."""
    if clicks:
        return f"{clicks[-1]}: choose what it does, or where."
    if pos.give:
        return f"Choose a stack inside {_tile(pos, pos.give.giver)} to give away."
    if pos.run:
        run = pos.run[-1]
        verb = pos.cast.icons[run.printed][run.next].verb
        return f"The ability of {_tile(pos, run.printed)} goes on: choose how to {verb}."
    if pos.offer:
        return f"Choose an ability that {_tile(pos, pos.offer.tile)} chains, or end."
    if pos.phase == DEFEND:
        return "Choose a tile that defends itself, or pass."
    return "Choose one of your tiles."


def action_words(pos: Position, action: Action) -> str:
    """Say what an action does, without who does it."""
    verb, tile, number, cell, face = action
    name = _tile(pos, tile)
    if verb in ("end", "pass"):
        return "chains nothing" if verb == "end" else "does not defend"
    if verb == "play":
        board = "the root" if number == ROOT else _tile(pos, number)
        return f"plays {name} on {cell_text(cell)} of {board}, facing {_FACINGS[FACES[face]]}"
    if verb == "attack":
        return f"attacks {_tile(pos, number)} with {name}"
    if verb in ("use", "chain"):
        whose = "" if number == tile else f" of {_tile(pos, number)}"
        return f"{verb}s the ability{whose} with {name}"
    if verb == "rotate":
        return f"rotates {name} to the {'left' if number == LEFT else 'right'}"
    if verb == "give":
        return f"gives the stack on {cell_text(number)} inside {name}"
    does = {"freeze": "freezes", "thaw": "thaws", "unplay": "takes back"}
    if verb in does:
        return f"{does[verb]} {name}"
    most = f" and {number - 1} below it" if number > 1 else ""
    where = f" at {cell_text(cell)}" if verb == "enter" else ""
    below = f", onto {cell} others" if verb == "reorder" else ""
    return f"lets {name}{most} {verb}{where}{below}"


def event_words(pos: Position, event: str) -> str:
    """Say an event as a sentence; a text that is none stays as it is."""
    verb, *words = event.split(" ")
    if verb == "dead" and words and words[0] in pos.cast.number:
        return f"{_tile(pos, pos.cast.number[words[0]])} died"
    if verb == "over" and words:
        return "nobody won" if words[0] == "draw" else f"{{{COLOURS.index(words[0])}}} won"
    if verb == "turn" and len(words) == 2:
        return f"turn {words[0]} of {{{words[1]}}} began"
    return event


def _tile(pos: Position, tile: int) -> str:
    return f"{pos.cast.ids[tile]} {pos.cast.name(tile)}"
