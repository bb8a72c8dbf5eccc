"""Chaining (rules section 6.3): what a step offers, and taking the offer."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.cast import bits
from engines.arborius.position import Offer, Place, Position, Run

__all__ = ["chainable", "chains", "make_offer", "refuse_chain", "take_chain"]


def chainable(pos: Position, verb: str, tile: int) -> int:
    """Return the abilities that ``tile`` may chain if it is the subject of the coming step.

    To be asked just before the step: what counts is what the tile can do then.
    """
    begun_by = pos.cast.chained_by.get(verb, 0) & ~pos.used
    if not begun_by or pos.cast.owner[tile] != pos.actor:
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
