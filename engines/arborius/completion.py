"""Completion (rules section 6.4): can all abilities under way still be brought to their end?

The search is exact. It tries steps before chains, since a chain only adds to what must be
completed, and remembers what it found in the position's memo, which all positions of a turn part
share, once that part has taken some searches: most take few, and none comes up again.
"""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.chains import chains
from engines.arborius.contiguity import breaks_a_board
from engines.arborius.doing import do
from engines.arborius.hopeless import hopeless, lacks_inside
from engines.arborius.position import Gifts, Memo, Position
from engines.arborius.steps import can_begin, next_icon, steps

__all__ = ["completable", "completes", "gifts_of"]

UNREMEMBERED = 64  # searches of a turn part before positions are worth a key, a third of a search


def completes(pos: Position, action: Action) -> bool:
    """Return whether, after an action, all abilities under way can be completed."""
    verb, user, printed, _, _ = action
    if verb == "use" and (not can_begin(pos, user, printed) or lacks_inside(pos, user, printed)):
        return False
    if pos.memo is None:
        pos.memo = Memo()
    after = pos.copy()
    do(after, action)
    return completable(after)


def completable(pos: Position) -> bool:
    """Return whether all abilities under way can be completed."""
    if not pos.run:
        return True
    if not pos.give and _is_last(pos):
        if _has_step(pos):
            return True
        if not pos.offer:
            return False
    if hopeless(pos):
        return False
    memo = pos.memo
    if memo is None:
        memo = pos.memo = Memo()
    memo.searches += 1
    if memo.searches <= UNREMEMBERED:
        return _search(pos)
    key = _key(pos)
    known = memo.get(key)
    if known is None:
        known = memo[key] = _search(pos)
    return known


def gifts_of(pos: Position, gifts: Gifts) -> list[Action]:
    """Return the stacks that may be given, completion not judged."""
    giver = gifts.giver
    given: list[Action] = [("give", giver, cell, 0, 0) for cell in sorted(pos.boards[giver])]
    return [action for action in given if not breaks_a_board(pos, action)]


def _key(pos: Position) -> tuple[object, ...]:
    """Return what decides the answer: everything but the order in which tiles were chosen."""
    chosen = tuple([frozenset(run.done) for run in pos.run])
    return (*pos.core(tuple([run[:-1] for run in pos.run])), chosen)


def _search(pos: Position) -> bool:
    if pos.give:
        # the opponent may give what he likes, one's own gifts are chosen well
        adverse = pos.cast.owner[pos.give.giver] != pos.actor
        judge = all if adverse else any
        return judge(completes(pos, action) for action in gifts_of(pos, pos.give))
    whole = next_icon(pos).stack
    found = [action for action in _distinct(pos) if not breaks_a_board(pos, action, whole=whole)]
    return any(completes(pos, action) for action in (*found, *chains(pos)))


def _has_step(pos: Position) -> bool:
    whole = next_icon(pos).stack
    return not all(breaks_a_board(pos, action, whole=whole) for action in steps(pos))


def _is_last(pos: Position) -> bool:
    """Return whether one more step completes all that is under way."""
    if len(pos.run) > 1:
        return False
    run = pos.run[0]
    icons = pos.cast.icons[run.printed]
    return run.next + 1 == len(icons) and len(run.done) + 1 == icons[run.next].times


def _distinct(pos: Position) -> list[Action]:
    """Return the steps, but of plays that differ by nothing but the tile's number only one."""
    found = steps(pos)
    if not found or found[0][0] != "play":
        return found
    cast = pos.cast
    # tiles that what is under way names are like no others
    named = {t for run in pos.run for t in (run.user, run.printed, *run.done)}
    first: dict[tuple[object, ...], Action] = {}
    for action in found:
        tile = action[1]
        like = (tile,) if tile in named else (cast.kind[tile], pos.used >> tile & 1, "kind")
        first.setdefault((like, *action[2:]), action)
    return list(first.values())
