"""Doing one action, whichever it is, up to but without the end of a turn."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import do_basic
from engines.arborius.chains import chainable, make_offer, take_chain
from engines.arborius.changes import give
from engines.arborius.position import DEFEND, Position, Run
from engines.arborius.steps import do_step

__all__ = ["do"]


def do(pos: Position, action: Action) -> None:
    """Change a position by a legal action; whether its turn is over is not looked at."""
    verb, tile, number, _, _ = action
    if verb == "give":
        give(pos, number)
    elif verb == "chain":
        take_chain(pos, number)
    elif verb == "use":
        pos.used |= 1 << number
        # the icon "defend" itself is no step: it says when the rest may be used
        pos.run = (Run(tile, number, 1 if pos.phase == DEFEND else 0, None, ()),)
    elif verb == "end" or verb == "pass":
        pos.offer = None
    elif pos.run:
        # the subject of a step is the tile named first; of an attack, that is the attacker
        offered = chainable(pos, verb, tile)
        before = pos.place(tile) if offered and verb != "play" else None
        do_step(pos, action)
        make_offer(pos, tile, offered, before)
    else:
        offered = chainable(pos, verb, tile) if verb == "play" else 0
        do_basic(pos, action)
        make_offer(pos, tile, offered, None)
