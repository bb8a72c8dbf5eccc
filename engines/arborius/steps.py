"""Steps of the ability under way (rules sections 6.1 and 6.2): which there are, what one does."""

from __future__ import annotations

from collections.abc import Callable

from engines.arborius.actions import LEFT, RIGHT, Action
from engines.arborius.basic import deck
from engines.arborius.cast import Icon
from engines.arborius.changes import (
    attack,
    entered,
    go,
    landings,
    open_spots,
    put_in,
    reorder,
    rotate,
    unplay,
    way_out,
)
from engines.arborius.grid import AHEAD, RING
from engines.arborius.position import DECK, Place, Position, Run, Spot

# what a covered user cannot do (section 6.1)
_FROM_THE_TOP = frozenset({"unplay", "reorder", "descend", "ascend", "enter", "exit"})


def next_icon(pos: Position) -> Icon:
    """Return the icon to do next, of the innermost ability under way."""
    run = pos.run[-1]
    return pos.cast.icons[run.printed][run.next]


def steps(pos: Position) -> list[Action]:
    """Return the steps of sections 6.1 and 6.2, contiguity and completion not judged."""
    icon = next_icon(pos)
    if icon.verb == "play":
        spots = _spots(pos)
        return [("play", t, *spot) for t in deck(pos) for spot in spots] if spots else []
    if icon.verb == "attack":
        user = pos.run[-1].user
        return [("attack", user, target, 0, 0) for target in _subjects(pos, icon)]
    listed = _WAYS[icon.verb]
    return [action for subject in _subjects(pos, icon) for action in listed(pos, icon, subject)]


def can_begin(pos: Position, user: int, printed: int) -> bool:
    """Return whether an enabled user of an ability might do its first icon to itself.

    Cheap and never wrong about no: most abilities that a tile has cannot be begun.
    """
    icon = pos.cast.icons[printed][0]
    verb = icon.verb
    if icon.where or verb not in _FROM_THE_TOP:
        return True
    cells, cell = pos.boards[pos.home[user]], pos.cell[user]
    high, goal = len(cells[cell]), len(cells.get(cell + AHEAD[pos.face[user]], ()))
    if verb == "reorder":
        return high > 1
    if verb == "descend":
        return goal < high - 1
    if verb == "ascend":
        way = goal == high or (icon.stack and 0 < goal < high)
    elif verb == "exit":
        way = way_out(pos, user) is not None
    else:
        way = goal > 0 or verb == "unplay"  # or it is to enter
    return way and (high > 1 or not cells.splits(cell))


def refuse_step(pos: Position, action: Action) -> str:
    """Return why an action is no step of the ability under way, '' if it is one."""
    verb, tile, number, cell, face = action
    icon, ids = next_icon(pos), pos.cast.ids
    run = pos.run[-1]
    if verb != icon.verb:
        return f'the ability of {ids[run.printed]} goes on with "{icon.verb}"'
    if verb == "play":
        if pos.cast.owner[tile] != pos.actor or pos.home[tile] != DECK:
            return f"{ids[tile]} is not in your deck"
        if (number, cell, face) not in _spots(pos):
            return f"a tile is played so that it faces {ids[run.user]}, and not onto an enemy"
        return ""
    if verb == "attack" and tile != run.user:
        return f"{ids[run.user]} must attack"
    subject = number if verb == "attack" else tile
    if subject not in _subjects(pos, icon):
        return f"{ids[subject]} cannot be meant by this {verb}"
    if verb == "attack" or action in _WAYS[verb](pos, icon, subject):
        return ""
    return f"{ids[subject]} cannot {verb} like this"


def do_step(pos: Position, action: Action) -> None:
    """Carry out a step and go on to the next icon; the offer it makes is not made yet."""
    verb, tile, number, cell, face = action
    icon = next_icon(pos)
    if verb == "rotate":
        rotate(pos, pos.stack(tile) if icon.stack else (tile,), number)
    elif verb == "freeze":
        for t in pos.stack(tile) if icon.stack else (tile,):
            pos.frozen |= 1 << t
    elif verb == "unplay":
        unplay(pos, pos.stack(tile) if icon.stack else (tile,))
    elif verb == "reorder":
        reorder(pos, tile, number, cell)
    elif verb == "attack":
        attack(pos, tile, number)
    elif verb == "play":
        put_in(pos, tile, Place(number, cell, face))
    else:
        go(pos, action)
    _advance(pos, icon, number if verb == "attack" else tile)


def _advance(pos: Position, icon: Icon, chosen: int) -> None:
    outer = pos.run[:-1]
    user, printed, at, left_at, done = pos.run[-1]
    done = (*done, chosen)
    if len(done) == icon.times:
        at, done = at + 1, ()
    going = at < len(pos.cast.icons[printed])
    pos.run = (*outer, Run(user, printed, at, left_at, done)) if going else outer


# Subjects (section 6.1)


def _subjects(pos: Position, icon: Icon) -> list[int]:
    """Return the tiles that the next icon can mean; of an attack, those that can be attacked."""
    run = pos.run[-1]
    user = run.user
    if not icon.where and icon.verb != "attack":
        if run.left_at or not pos.active(pos.home[user]):
            return []
        return [] if icon.verb in _FROM_THE_TOP and not pos.is_top(user) else [user]
    place = pos.place_of(run)
    if not pos.active(place.board):
        return []
    if icon.verb == "attack":
        return _targets(pos, icon, run, place)
    return [t for t in _others(pos, icon, run, place) if not pos.frozen >> t & 1]


def _targets(pos: Position, icon: Icon, run: Run, place: Place) -> list[int]:
    if run.left_at or not pos.boards[run.user]:
        return []
    level = pos.level(run.user)
    return [t for t in _others(pos, icon, run, place) if pos.level(t) < level]


def _others(pos: Position, icon: Icon, run: Run, place: Place) -> list[int]:
    """Return the top tile in front of the user, or those around it that were not chosen before."""
    cells = pos.boards[place.board]
    if icon.where != "adj":
        stack = cells.get(place.cell + AHEAD[place.face])
        return [stack[-1]] if stack else []
    around = [cells.get(place.cell + step) for step in RING]
    return [stack[-1] for stack in around if stack and stack[-1] not in run.done]


def _spots(pos: Position) -> list[Spot]:
    """Return where the icon ``play`` can put a tile: facing the user (section 6.2)."""
    run = pos.run[-1]
    if run.left_at or not pos.active(pos.home[run.user]):
        return []
    return open_spots(pos, pos.home[run.user], pos.cell[run.user])


# The table of section 6.2, each icon done to one subject


def _rotations(pos: Position, icon: Icon, subject: int) -> list[Action]:
    return [("rotate", subject, LEFT, 0, 0), ("rotate", subject, RIGHT, 0, 0)]


def _freezes(pos: Position, icon: Icon, subject: int) -> list[Action]:
    return [] if pos.is_frozen(subject) else [("freeze", subject, 0, 0, 0)]


def _unplays(pos: Position, icon: Icon, subject: int) -> list[Action]:
    return [("unplay", subject, 0, 0, 0)]


def _reorders(pos: Position, icon: Icon, subject: int) -> list[Action]:
    high = len(pos.stack(subject))
    counts = range(1, high if icon.stack else min(2, high))
    return [("reorder", subject, k, p, 0) for k in counts for p in range(high - k)]


def _moves(pos: Position, icon: Icon, subject: int) -> list[Action]:
    high = len(pos.stack(subject))
    goal = len(pos.front_stack(subject))
    counts = range(1, high + 1) if icon.stack else (1,)
    return [(icon.verb, subject, k, 0, 0) for k in counts if _climbs(icon.verb, high - k, goal)]


def _climbs(verb: str, base: int, goal: int) -> bool:
    return base >= 1 and goal < base if verb == "descend" else goal == base + 1


def _entries(pos: Position, icon: Icon, subject: int) -> list[Action]:
    into = entered(pos, subject)
    if into is None:
        return []
    counts = range(1, len(pos.stack(subject)) + 1) if icon.stack else (1,)
    cells = landings(pos, subject, into)
    return [("enter", subject, k, cell, 0) for k in counts for cell in cells]


def _exits(pos: Position, icon: Icon, subject: int) -> list[Action]:
    if way_out(pos, subject) is None:
        return []
    counts = range(1, len(pos.stack(subject)) + 1) if icon.stack else (1,)
    return [("exit", subject, k, 0, 0) for k in counts]


_WAYS: dict[str, Callable[[Position, Icon, int], list[Action]]] = {
    "rotate": _rotations,
    "freeze": _freezes,
    "unplay": _unplays,
    "reorder": _reorders,
    "descend": _moves,
    "ascend": _moves,
    "enter": _entries,
    "exit": _exits,
}
