"""Which actions are legal: listed, counted, or one of them checked.

What is under way decides which section of the rules offers the candidates; then contiguity
(section 1) and completion (6.4) decide which of them are legal.
"""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import basic_actions, refuse_basic
from engines.arborius.chains import chains, refuse_chain
from engines.arborius.completion import completes, gifts_of
from engines.arborius.contiguity import breaks_a_board
from engines.arborius.defence import defences, refuse_defence
from engines.arborius.position import DEFEND, Basics, Position
from engines.arborius.steps import next_icon, refuse_step, steps

__all__ = [
    "candidates",
    "count_legal",
    "has_basic",
    "judged",
    "is_legal",
    "legal_actions",
    "refusal",
]

_END: Action = ("end", 0, 0, 0, 0)
_PASS: Action = ("pass", 0, 0, 0, 0)


def legal_actions(pos: Position, known: Basics | None = None) -> list[Action]:
    """Return all legal actions; the order depends on nothing but the position.

    Args:
        pos: the position.
        known: what ``judged`` has returned of it, if it was asked.
    """
    actions, tiles, spots = known or judged(pos)
    plays = [("play", t, board, cell, face) for t in tiles for board, cell, face in spots]
    return actions + plays


def count_legal(pos: Position, known: Basics | None = None) -> int:
    """Return the number of legal actions; arguments as for ``legal_actions``."""
    actions, tiles, spots = known or judged(pos)
    return len(tiles) * len(spots) + len(actions)


def has_basic(pos: Position) -> bool:
    """Return whether any action is legal at the start of a turn, and keep the list for later."""
    pos.basics = actions, tiles, spots = basic_actions(pos, whole=True)
    if tiles and spots:
        return True
    return any(action[0] != "use" or completes(pos, action) for action in actions)


def judged(pos: Position) -> Basics:
    """Return the legal actions; basic plays as their tiles and their spots."""
    if pos.run or pos.give or pos.offer or pos.phase == DEFEND:
        actions, tiles, spots = candidates(pos)
        return [action for action in actions if is_legal(pos, action)], tiles, spots
    actions, tiles, spots = pos.basics or basic_actions(pos, whole=True)
    legal = [action for action in actions if action[0] != "use" or completes(pos, action)]
    return legal, tiles, spots


def is_legal(pos: Position, action: Action) -> bool:
    """Judge a candidate: no board falls apart, and what is under way can be completed."""
    verb = action[0]
    if verb == "use" or verb == "chain":
        return completes(pos, action)
    if pos.give:
        # what the opponent may give was judged before the attack
        own = pos.cast.owner[pos.give.giver] == pos.actor
        return not own or not pos.run or completes(pos, action)
    if pos.run:
        whole = next_icon(pos).stack
        return not breaks_a_board(pos, action, whole=whole) and completes(pos, action)
    return not breaks_a_board(pos, action)


def refusal(pos: Position, action: Action) -> str:
    """Return why an action is not legal, '' if it is."""
    if pos.give:
        reason = _refuse_give(pos, action)
    elif pos.run:
        chained = action[0] == "chain"
        reason = refuse_chain(pos, action) if chained else refuse_step(pos, action)
    elif pos.offer:
        chained = action[0] == "chain"
        reason = refuse_chain(pos, action) if chained else _refuse_other(action, "end", "chain")
    elif pos.phase == DEFEND:
        used = action[0] == "use"
        reason = refuse_defence(pos, action) if used else _refuse_other(action, "pass", "use")
    else:
        reason = refuse_basic(pos, action)
    if reason:
        return reason
    whole = bool(pos.run) and not pos.give and next_icon(pos).stack
    if breaks_a_board(pos, action, whole=whole):
        return "a board would fall into two pieces"
    return "" if is_legal(pos, action) else "what is under way could not be completed after it"


def candidates(pos: Position) -> Basics:
    """Return what may be legal; basic plays, which all are, as their tiles and their spots.

    Random draws depend on the order, and on what is here but not legal.
    """
    if pos.give:
        return gifts_of(pos, pos.give), [], []
    if pos.run:
        return steps(pos) + chains(pos), [], []
    if pos.offer:
        return [*chains(pos), _END], [], []
    if pos.phase == DEFEND:
        return [*defences(pos), _PASS], [], []
    return basic_actions(pos, whole=False)


def _refuse_give(pos: Position, action: Action) -> str:
    assert pos.give is not None
    verb, tile, cell, _, _ = action
    giver = pos.cast.ids[pos.give.giver]
    if verb != "give" or tile != pos.give.giver:
        return f"{pos.give.left} more to give: expected give:{giver}:x,y"
    return "" if cell in pos.boards[tile] else f"there is no stack on that cell of {giver}"


def _refuse_other(action: Action, plain: str, verb: str) -> str:
    return "" if action[0] == plain else f'expected "{verb}:X:P" or "{plain}"'
