"""Cheap proofs that what is under way cannot be completed, to cut the search of section 6.4.

A proof looks at the verbs that can still occur before the end: those of the icons to come, and of
the abilities that these may chain to. Some things come about by few verbs only (a tile gets an
inside by ``enter`` alone), so an icon that waits for one of them can be given up early. ``False``
claims nothing.
"""

from __future__ import annotations

from functools import lru_cache

from engines.arborius.abilities import Icon
from engines.arborius.cast import ROOT, Cast, bits
from engines.arborius.grid import AHEAD, RING
from engines.arborius.position import Position, Run

__all__ = ["hopeless"]

_TURNING = frozenset({"rotate", "freeze"})  # these leave every tile where it is


def hopeless(pos: Position) -> bool:
    """Return whether some icon to come is proved impossible."""
    verbs, chained = _possible(pos.cast, *_begun(pos), pos.used)
    return any(
        _never(pos, run, icon, verbs) for run in pos.run for icon in _icons(pos, run)
    ) or _no_first_attack(pos, verbs, chained)


def _icons(pos: Position, run: Run) -> tuple[Icon, ...]:
    return pos.cast.icons[run.printed][run.next :]


def _begun(pos: Position) -> tuple[frozenset[str], int]:
    """Return the verbs to come of what is under way, and the abilities on offer."""
    verbs = frozenset([icon.verb for run in pos.run for icon in _icons(pos, run)])
    return verbs, pos.offer.abilities if pos.offer else 0


@lru_cache(maxsize=4096)
def _possible(
    cast: Cast, begun: frozenset[str], offered: int, used: int
) -> tuple[frozenset[str], bool]:
    """Return the verbs that can still occur, and whether a chain can bring an attack."""
    verbs = set(begun)
    attacks = False
    todo, chains = list(begun), offered
    while todo or chains:
        for printed in bits(chains):
            for icon in cast.icons[printed][1:]:
                attacks = attacks or icon.verb == "attack"
                if icon.verb not in verbs:
                    verbs.add(icon.verb)
                    todo.append(icon.verb)
        chains = cast.chained_by.get(todo.pop(), 0) & ~used if todo else 0
    return frozenset(verbs), attacks


def _never(pos: Position, run: Run, icon: Icon, verbs: frozenset[str]) -> bool:
    """Return whether an icon to come can never be done by its user."""
    user = run.user
    if run.left_at and "play" not in verbs and (not icon.where or icon.verb == "attack"):
        return True  # the user does not come back
    if icon.verb == "attack":
        return not pos.boards[user] and "enter" not in verbs
    if icon.verb == "exit":
        on_root = pos.place_of(run).board == ROOT
        return on_root and "enter" not in verbs and "play" not in verbs
    if icon.verb == "freeze" and not icon.where:
        return pos.is_frozen(user) and "unplay" not in verbs
    return False


def _no_first_attack(pos: Position, verbs: frozenset[str], chained: bool) -> bool:
    """Return whether attacks are to come, nothing else moves a tile, and none can be the first."""
    if pos.give or chained or "attack" not in verbs or not verbs <= _TURNING | {"attack"}:
        return False  # gifts lift the attacker and what stands under it
    return not any(
        icon.verb == "attack" and _sees_target(pos, run, icon, "rotate" in verbs)
        for run in pos.run
        for icon in _icons(pos, run)
    )


def _sees_target(pos: Position, run: Run, icon: Icon, turning: bool) -> bool:
    """Return whether the user stands higher than a tile that this icon might reach."""
    if run.left_at or not pos.boards[run.user]:
        return False
    ahead = AHEAD if turning else (AHEAD[pos.face[run.user]],)
    steps: tuple[int, ...] = RING if icon.where == "adj" else ahead
    cells, cell = pos.boards[pos.home[run.user]], pos.cell[run.user]
    level = pos.level(run.user)
    return any(len(cells.get(cell + step, ())) in range(1, level) for step in steps)
