"""Chaining (rules section 6.3), defence (section 7), and doing any one action."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import do_basic, refuse_use
from engines.arborius.cast import bits
from engines.arborius.changes import give
from engines.arborius.position import DEFEND, Offer, Place, Position, Run
from engines.arborius.steps import do_step


def chainable(pos: Position, verb: str, tile: int) -> int:
    """Return the abilities that ``tile`` may chain if it is the subject of the coming step.

    To be asked just before the step: what counts is what the tile can do then.
    """
    begun_by = pos.cast.chained_by.get(verb, 0) & ~pos.used
    if not begun_by or pos.cast.owner[tile] != pos.actor or not pos.may_use_more():
        return 0
    if verb == "play":
        return begun_by & 1 << tile
    return begun_by & pos.abilities(tile) if pos.enabled(tile) else 0


def make_offer(pos: Position, tile: int, abilities: int, before: Place | None) -> None:
    """Offer abilities (0: none) to the subject of a step just done.

    Args:
        pos: the position after the step.
        tile: the subject.
        abilities: what was ``chainable``.
        before: where the subject stood before the step; it counts if the subject left play.
    """
    if abilities:
        pos.offer = Offer(tile, None if pos.in_play(tile) else before, abilities)
    else:
        pos.offer = None


def chains(pos: Position) -> list[Action]:
    """Return the chains that the open offer allows, completion not judged."""
    offer = pos.offer
    if offer is None:
        return []
    return [("chain", offer.tile, printed, 0, 0) for printed in bits(offer.abilities)]


def refuse_chain(pos: Position, action: Action) -> str:
    """Return why an action is not what the open offer allows, '' if it is."""
    _, tile, printed, _, _ = action
    ids = pos.cast.ids
    if pos.offer is None:
        return "no chain is offered"
    if tile != pos.offer.tile:
        return f"a chain is offered to {ids[pos.offer.tile]}"
    if not pos.offer.abilities >> printed & 1:
        return f"the offer is of {', '.join(ids[p] for p in bits(pos.offer.abilities))}"
    return ""


def take_chain(pos: Position, printed: int) -> None:
    """Put an offered ability under way, from its second icon on."""
    offer = pos.offer
    assert offer is not None
    pos.used |= 1 << printed
    pos.run = (*pos.run, Run(offer.tile, printed, 1, offer.left_at, ()))
    pos.offer = None


def defences(pos: Position) -> list[Action]:
    """Return the uses of abilities in the phase of defence, completion not judged."""
    ready = pos.cast.defending & ~pos.used if pos.may_use_more() else 0
    found: list[Action] = []
    for tile in bits(pos.hit & pos.cast.own[pos.actor]):
        if ready and pos.enabled(tile):
            found += [("use", tile, p, 0, 0) for p in bits(ready & pos.abilities(tile))]
    return found


def refuse_defence(pos: Position, action: Action) -> str:
    """Return why an action is no use of an ability in defence, '' if it is one."""
    tile = action[1]
    if not pos.hit & pos.cast.own[pos.actor] & 1 << tile:
        return f"{pos.cast.ids[tile]} did not survive an attack this turn"
    if not pos.enabled(tile):
        return f"{pos.cast.ids[tile]} is not enabled: it must be in play, on top, not frozen"
    return refuse_use(pos, action, pos.cast.defending)


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
