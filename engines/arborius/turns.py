"""How turns follow each other, through the defence to the end (rules sections 2 and 7)."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.cast import COLOURS, bits
from engines.arborius.chains import chains
from engines.arborius.defence import defences
from engines.arborius.doing import do
from engines.arborius.legal import has_basic, is_legal
from engines.arborius.position import DEFEND, TURN, Position

__all__ = [
    "advance",
    "at_turn_start",
    "can_defend",
    "end_conditions",
    "if_capped",
    "play",
    "to_act",
]


def to_act(pos: Position) -> int | None:
    """Return the player who owes an action, ``None`` when the game is over."""
    if pos.result != "-":
        return None
    return pos.cast.owner[pos.give.giver] if pos.give else pos.actor


def play(pos: Position, action: Action) -> None:
    """Change a position by a legal action, and end the turn, perhaps the game, if it is over."""
    if advance(pos, action):
        end_conditions(pos)


def advance(pos: Position, action: Action) -> bool:
    """Change a position by a legal action; return whether a new turn begins with it.

    Whether the game is over then is left to be looked at.
    """
    do(pos, action)
    if _goes_on(pos, action):
        return False
    _next_turn(pos)
    return True


def at_turn_start(pos: Position) -> bool:
    """Return whether the actor is to begin a turn, not in the middle of one."""
    return pos.phase == TURN and not (pos.run or pos.offer or pos.give)


def can_defend(pos: Position) -> bool:
    """Return whether the actor, as the defender, has an ability to use (section 7)."""
    return bool(pos.hit) and any(is_legal(pos, action) for action in defences(pos))


def end_conditions(pos: Position) -> None:
    """End the game at the start of a turn, if section 2 says so."""
    if not has_basic(pos):
        pos.result = COLOURS[1 - pos.actor]
    elif pos.turn >= pos.limits.turns:
        pos.result = if_capped(pos)


def if_capped(pos: Position) -> str:
    """Return the result if the turn cap were reached now: ``w``, ``b`` or ``draw``."""
    if pos.limits.cap == "tiles":
        white, black = _standing(pos, 0), _standing(pos, 1)
        if white != black:
            return COLOURS[white < black]
    return "draw"


def _standing(pos: Position, player: int) -> tuple[int, int]:
    own = pos.cast.own[player]
    return (own & ~pos.dead).bit_count(), sum(pos.enabled(tile) for tile in bits(own))


def _goes_on(pos: Position, action: Action) -> bool:
    """Return whether the turn goes on after an action; what is offered in vain lapses."""
    if pos.give or pos.run:
        return True
    if pos.offer:
        if any(is_legal(pos, chain) for chain in chains(pos)):
            return True
        pos.offer = None
    if not pos.hit:
        return False
    if pos.phase == TURN:
        pos.phase, pos.actor, pos.memo = DEFEND, 1 - pos.actor, None
    return action[0] != "pass" and can_defend(pos)


def _next_turn(pos: Position) -> None:
    # after a phase of defence the actor is the other player already
    if pos.phase == TURN:
        pos.actor = 1 - pos.actor
    pos.phase = TURN
    pos.turn += 1
    pos.used = pos.hit = 0
    pos.memo = None
