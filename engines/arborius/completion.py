"""Completion (rules section 6.4): can all abilities under way still be brought to their end?

The search tries steps before chains, since a chain only adds to what must be completed. It is exact
for all that ends within so many different positions as the rules say; what does not is taken for
what cannot be completed. Most answers take few positions, and none of them comes up again, so
positions are remembered only where an answer takes more. Such answers are kept in the position's
memo, which all positions of a turn part share.
"""

from __future__ import annotations

from functools import lru_cache

from engines.arborius.actions import Action
from engines.arborius.cast import ROOT, Cast, Icon, bits
from engines.arborius.chains import chains, do
from engines.arborius.grid import AHEAD, RING
from engines.arborius.position import Gifts, Position, Run, breaks_a_board
from engines.arborius.steps import can_begin, next_icon, steps

LOOKS = 200_000  # different positions for one answer, divided by the square of the number of tiles
UNREMEMBERED = 64  # positions before they are worth a key, which takes a third of a look


class _Question:
    """One answer under way: how many looks are left, and what is known if that is kept."""

    __slots__ = ("known", "left")

    def __init__(self, left: int, known: dict[object, bool] | None) -> None:
        self.left, self.known = left, known


class _TooMany(Exception):
    """The search has taken all the looks it may take."""


def completes(pos: Position, action: Action) -> bool:
    """Return whether, after an action, all abilities under way can be completed."""
    verb, user, printed, _, _ = action
    if verb == "use" and (not can_begin(pos, user, printed) or lacks(pos, user, printed)):
        return False
    if pos.memo is None:
        pos.memo = {}
    after = pos.copy()
    do(after, action)
    return completable(after)


def completable(pos: Position) -> bool:
    """Return whether all abilities under way can be completed."""
    try:
        return _completable(pos, _Question(UNREMEMBERED, None))
    except _TooMany:
        memo, key = pos.memo, _key(pos)
        if memo is None:
            memo = pos.memo = {}
        if key not in memo:
            try:
                memo[key] = _completable(pos, _Question(LOOKS // pos.cast.size**2, {}))
            except _TooMany:
                memo[key] = False
        return memo[key]


def _completes(pos: Position, action: Action, question: _Question) -> bool:
    after = pos.copy()
    do(after, action)
    return _completable(after, question)


def _completable(pos: Position, question: _Question) -> bool:
    if not pos.run:
        return True
    if not pos.give and _is_last(pos):
        if _has_step(pos):
            return True
        if not pos.offer:
            return False
    if hopeless(pos):
        return False
    known = question.known
    key = None if known is None else _key(pos)
    if known and key in known:
        return known[key]
    if not question.left:
        raise _TooMany
    question.left -= 1
    found = _search(pos, question)
    if known is not None:
        known[key] = found
    return found


def gifts_of(pos: Position, gifts: Gifts) -> list[Action]:
    """Return the stacks that may be given, completion not judged."""
    giver = gifts.giver
    given: list[Action] = [("give", giver, cell, 0, 0) for cell in sorted(pos.boards[giver])]
    return [action for action in given if not breaks_a_board(pos, action)]


def _key(pos: Position) -> tuple[object, ...]:
    """Return what decides the answer: everything but the order in which tiles were chosen."""
    chosen = tuple([frozenset(run.done) for run in pos.run])
    return (*pos.core(tuple([run[:-1] for run in pos.run])), chosen)


def _search(pos: Position, question: _Question) -> bool:
    if pos.give:
        # the opponent may give what he likes, one's own gifts are chosen well
        adverse = pos.cast.owner[pos.give.giver] != pos.actor
        judge = all if adverse else any
        return judge(_completes(pos, action, question) for action in gifts_of(pos, pos.give))
    whole = next_icon(pos).stack
    return any(
        _completes(pos, action, question)
        for action in _distinct(pos)
        if not breaks_a_board(pos, action, whole=whole)
    ) or any(_completes(pos, action, question) for action in _distinct_chains(pos))


def _distinct_chains(pos: Position) -> list[Action]:
    """Return the chains, with only one of several abilities that are alike.

    All are returned if the rest of the turn can change what is inside the tile that chains. Without
    this, n alike tiles inside a tile are tried in all their n! orders.
    """
    found = chains(pos)
    if len(found) < 2:
        return found
    cast = pos.cast
    begun: frozenset[str] = frozenset()
    for run in pos.run:
        begun |= cast.verbs_from[run.printed][run.next]
    offered = pos.offer.abilities if pos.offer else 0
    verbs = _possible(cast, begun, offered, pos.unusable())
    if verbs & _INSIDE and not (verbs <= _SELF and _reaches_no_other(pos)):
        return found
    alike: dict[object, Action] = {}
    for action in found:
        printed = action[2]
        like = printed if printed == action[1] else (cast.icons[printed],)
        alike.setdefault(like, action)
    return list(alike.values())


def _reaches_no_other(pos: Position) -> bool:
    """Return whether all that can be under way is done by one user to itself, or is an attack.

    Where that user goes, what is inside it goes along unchanged.
    """
    cast = pos.cast
    if pos.offer is None or any(run.user != pos.offer.tile for run in pos.run):
        return False
    coming = [cast.icons_from[run.printed][run.next] for run in pos.run]
    coming += [cast.icons[printed] for printed in bits(pos.abilities(pos.offer.tile) & ~pos.used)]
    return all(not icon.where or icon.verb == "attack" for icons in coming for icon in icons)


def _has_step(pos: Position) -> bool:
    whole = next_icon(pos).stack
    return not all(breaks_a_board(pos, action, whole=whole) for action in steps(pos))


def _is_last(pos: Position) -> bool:
    """Return whether one more step completes what is under way, or leaves only what is sure."""
    if len(pos.run) > 1:
        return False
    run = pos.run[0]
    icons = pos.cast.icons_from[run.printed][run.next]
    if len(icons) == 1 or _then_turns(icons):
        return len(run.done) + 1 == icons[0].times
    if run.left_at:
        return False
    if icons == _DOWN_AND_TURN:  # what the user stood on is beside it then, to be turned
        return not pos.is_frozen(pos.stack(run.user)[-2:][0])
    return icons == _THROUGH and _passes(pos, run.user)


@lru_cache(maxsize=4096)
def _then_turns(icons: tuple[Icon, ...]) -> bool:
    """Return whether the first of some icons keeps the user on its board and the rest turn it.

    A tile in play on an active board can always be turned.
    """
    own = not any(icon.where for icon in icons)
    return own and icons[0].verb in _STAYING and {icon.verb for icon in icons[1:]} == {"rotate"}


def _passes(pos: Position, user: int) -> bool:
    """Return whether a user that enters the tile in front of it can then exit (section 6.2).

    The user is alone on the cell where it lands, and it exits to the cell behind that tile.
    """
    cells, step = pos.boards[pos.home[user]], AHEAD[pos.face[user]]
    into, beyond = (cells.get(pos.cell[user] + n * step, ()) for n in (1, 2))
    return len(beyond) <= len(into) and not (into and pos.frozen >> into[-1] & 1)


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


_THROUGH = (Icon("enter"), Icon("exit"))

_DOWN_AND_TURN = (Icon("descend"), Icon("rotate", where="adj"))

_TURNING = frozenset({"rotate", "freeze"})  # these leave every tile where it is

_PLACING = _TURNING | {"reorder", "play"}  # these move no tile that is in play

_INSIDE = frozenset({"enter", "exit", "attack", "unplay", "play"})  # these change insides

_STAYING = _TURNING | {"reorder", "ascend", "descend"}  # a user stays on its board by these

# these change no inside of a tile that does them to itself
_SELF = _STAYING | {"enter", "exit", "attack"}

_LOWERING = _TURNING | {"reorder", "unplay"}  # these make no stack higher


def hopeless(pos: Position) -> bool:
    """Return whether some icon to come is proved impossible."""
    cast, runs = pos.cast, pos.run
    begun = cast.verbs_from[runs[0].printed][runs[0].next]
    for run in runs[1:]:
        begun |= cast.verbs_from[run.printed][run.next]
    offered = pos.offer.abilities if pos.offer else 0
    verbs = _possible(cast, begun, offered, pos.unusable())
    for run in runs:
        for icon in cast.icons_from[run.printed][run.next]:
            if _never(pos, run, icon, verbs):
                return True
    if pos.give:  # gifts lift the attacker and what stands under it
        return False
    for verb, calm, may_be_first in _FIRSTS:
        if verb in begun:
            before = _alone_before(pos, verb)
            if before is None:
                before = _possible(cast, begun - {verb}, offered, pos.unusable() | _apart(pos))
            if before <= calm and not any(
                icon.verb == verb and may_be_first(pos, run, icon, before)
                for run in runs
                for icon in cast.icons_from[run.printed][run.next]
            ):
                return True
    return False


def lacks(pos: Position, user: int, printed: int) -> bool:
    """Return whether an ability needs something that its user does not have and cannot get before.

    This is an inside to attack with, or a stack around the user to descend from. ``hopeless`` finds
    the same once the ability is under way; these cases are the most common ones.
    """
    cast = pos.cast
    verbs = cast.verbs_from[printed][0]
    if "attack" in verbs and not pos.boards[user]:
        return "enter" not in _possible(cast, verbs, 0, pos.used | 1 << printed)
    before = _sinks_before(cast.icons[printed]) if "descend" in verbs else None
    if before is None:
        return False
    cells, cell = pos.boards[pos.home[user]], pos.cell[user]
    for step in RING:
        if len(cells.get(cell + step, ())) > 1:
            return False
    able = pos.abilities(user) & ~(pos.used | 1 << printed)
    return not any(cast.chained_by[verb] & able for verb in before)


@lru_cache(maxsize=4096)
def _sinks_before(icons: tuple[Icon, ...]) -> frozenset[str] | None:
    """Return the verbs that a user does to itself before the first descent, which is another's.

    ``None`` if the user itself descends first, if another tile acts before that, or if a verb
    before it can make a stack higher.
    """
    first = next(i for i, icon in enumerate(icons) if icon.verb == "descend")
    before = frozenset([icon.verb for icon in icons[:first]])
    alone = not any(icon.where for icon in icons[:first])
    return before if icons[first].where and alone and before <= _LOWERING else None


def _alone_before(pos: Position, verb: str) -> frozenset[str] | None:
    """Return the verbs that come before the first ``verb``, where all are done to the user alone.

    ``None`` where something else may come before it, such as a chain.
    """
    if len(pos.run) > 1 or pos.offer:
        return None
    run, cast = pos.run[0], pos.cast
    usable = 0 if run.left_at else pos.abilities(run.user) & ~pos.unusable()
    before: set[str] = set()
    for icon in cast.icons_from[run.printed][run.next]:
        if icon.verb == verb:
            return frozenset(before)
        if icon.where or run.left_at or cast.chained_by.get(icon.verb, 0) & usable:
            return None
        before.add(icon.verb)
    return None


def _apart(pos: Position) -> int:
    """Return the opponent's tiles that are inside no tile: nobody chains their abilities."""
    home = pos.home
    return sum([1 << tile for tile in pos.cast.tiles[1 - pos.actor] if home[tile] <= ROOT])


@lru_cache(maxsize=4096)
def _possible(cast: Cast, begun: frozenset[str], offered: int, used: int) -> frozenset[str]:
    """Return the verbs that can occur: those begun, and what chains can bring after them."""
    verbs = set(begun)
    todo, chains = list(begun), offered
    while todo or chains:
        for printed in bits(chains):
            for icon in cast.icons[printed][1:]:
                if icon.verb not in verbs:
                    verbs.add(icon.verb)
                    todo.append(icon.verb)
        chains = cast.chained_by.get(todo.pop(), 0) & ~used if todo else 0
    return frozenset(verbs)


def _never(pos: Position, run: Run, icon: Icon, verbs: frozenset[str]) -> bool:
    """Return whether an icon to come can never be done by its user."""
    user, verb = run.user, icon.verb
    if run.left_at and "play" not in verbs and (not icon.where or verb == "attack"):
        return True  # the user does not come back
    if verb == "attack":
        return not pos.boards[user] and "enter" not in verbs
    if verb == "exit":
        on_root = pos.place_of(run).board == ROOT
        return on_root and "enter" not in verbs and "play" not in verbs
    if icon.where:
        return False
    if verb == "freeze":
        return pos.is_frozen(user) and "unplay" not in verbs
    if verb == "reorder":
        # what is played on a user covers it
        stays = not (run.left_at or pos.give) and verbs <= _PLACING
        return stays and len(pos.stack(user)) == 1
    return False


def _sees_descent(pos: Position, run: Run, icon: Icon, before: frozenset[str]) -> bool:
    """Return whether there is a stack to descend from that this icon might mean."""
    if not icon.where:
        return not run.left_at and len(pos.stack(run.user)) > 1
    place = pos.place_of(run)
    cells, home = pos.boards[place.board], place.cell
    around = [home + step for step in RING if len(cells.get(home + step, ())) > 1]
    if not around or len(pos.run) > 1 or "reorder" in before or not _leaves_alone(pos, run, before):
        return bool(around)
    # nothing changes before but the user's own stack, and where tiles look
    stacks = [cells[cell] for cell in around]
    spare = sum(map(len, stacks)) - len(stacks)
    if spare < icon.times - len(run.done) and _only_turn(pos, stacks):
        return False  # each descent takes one at least, and covers where it lands
    for cell in around:
        top, high = cells[cell][-1], len(cells[cell])
        for step in AHEAD if "rotate" in before else (AHEAD[pos.face[top]],):
            goal = 0 if cell + step == home else len(cells.get(cell + step, ()))
            if goal < high - 1 and not pos.frozen >> top & 1:
                return True
    return False


def _leaves_alone(pos: Position, run: Run, before: frozenset[str]) -> bool:
    """Return whether nobody but the user itself is unplayed, as no chain can come first."""
    unusable = pos.unusable() | _apart(pos)
    chained = any(pos.cast.chained_by.get(verb, 0) & ~unusable for verb in before)
    if pos.offer or (chained and _alone_before(pos, "descend") is None):
        return False
    icons = pos.cast.icons_from[run.printed][run.next]
    return not any(icon.verb == "unplay" and (icon.where or icon.stack) for icon in icons)


def _only_turn(pos: Position, stacks: list[tuple[int, ...]]) -> bool:
    """Return whether all that descents of tiles of some stacks can chain leaves tiles in place."""
    cast, chained, unusable = pos.cast, 0, pos.used | _apart(pos)
    for stack in stacks:
        for tile in stack:
            if cast.own[pos.actor] >> tile & 1:
                chained |= pos.abilities(tile)
    chained &= cast.chained_by.get("descend", 0) & ~unusable
    return _possible(cast, frozenset(), chained, unusable) <= _TURNING


def _sees_target(pos: Position, run: Run, icon: Icon, before: frozenset[str]) -> bool:
    """Return whether the user stands higher than a tile that this icon might reach."""
    if run.left_at or not pos.boards[run.user]:
        return False
    ahead = AHEAD if "rotate" in before else (AHEAD[pos.face[run.user]],)
    steps: tuple[int, ...] = RING if icon.where == "adj" else ahead
    cells, cell = pos.boards[pos.home[run.user]], pos.cell[run.user]
    level = pos.level(run.user)
    return any(len(cells.get(cell + step, ())) in range(1, level) for step in steps)


# verbs, and what may come before the first of them without making it possible
_FIRSTS = (("attack", _TURNING, _sees_target), ("descend", _LOWERING, _sees_descent))
