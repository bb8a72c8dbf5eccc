"""Which actions are legal, and how turns follow each other (rules sections 2 and 7).

What is under way decides which section of the rules offers the candidates; then contiguity
(section 1) and completion (6.4) decide which of them are legal.
"""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import basic_actions, has_simple, refuse_basic
from engines.arborius.cast import COLOURS, bits
from engines.arborius.chains import chains, defences, do, refuse_chain, refuse_defence
from engines.arborius.completion import completes, gifts_of
from engines.arborius.position import DEFEND, TURN, Basics, Position, breaks_a_board
from engines.arborius.steps import next_icon, refuse_step, steps

_END: Action = ("end", 0, 0, 0, 0)

_PASS: Action = ("pass", 0, 0, 0, 0)


def count(found: Basics) -> int:
    """Return how many actions there are."""
    actions, tiles, spots = found
    return len(tiles) * len(spots) + len(actions)


def nth(found: Basics, index: int) -> Action:
    """Return one of the actions by its number, first the plays; as ``texts_of`` writes them."""
    actions, tiles, spots = found
    plays = len(tiles) * len(spots)
    if index >= plays:
        return actions[index - plays]
    tile, spot = divmod(index, len(spots))
    return ("play", tiles[tile], *spots[spot])


def has_basic(pos: Position) -> bool:
    """Return whether any action is legal at the start of a turn; a list made for it is kept."""
    if has_simple(pos):  # nearly always, and much cheaper than the list
        return True
    pos.basics = actions, tiles, spots = basic_actions(pos)
    if tiles and spots:
        return True
    return any(action[0] != "use" or completes(pos, action) for action in actions)


def judged(pos: Position) -> Basics:
    """Return the legal actions; basic plays as their tiles and their spots."""
    if pos.run or pos.give or pos.offer or pos.phase == DEFEND:
        actions, tiles, spots = candidates(pos)
        return [action for action in actions if is_legal(pos, action)], tiles, spots
    actions, tiles, spots = pos.basics or basic_actions(pos)
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
    return basic_actions(pos)


def _refuse_give(pos: Position, action: Action) -> str:
    assert pos.give is not None
    verb, tile, cell, _, _ = action
    giver = pos.cast.ids[pos.give.giver]
    if verb != "give" or tile != pos.give.giver:
        return f"{pos.give.left} more to give: expected give:{giver}:x,y"
    return "" if cell in pos.boards[tile] else f"there is no stack on that cell of {giver}"


def _refuse_other(action: Action, plain: str, verb: str) -> str:
    return "" if action[0] == plain else f'expected "{verb}:X:P" or "{plain}"'


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
