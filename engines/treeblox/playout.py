"""Uniformly random play to the end of a game, on private lists that change, for speed.

A player's available cells stand in a list in any order. A cell that is filled stays in the lists it
was in: whoever draws it throws it out and draws again, which leaves all other choices equally
likely. So nothing is ever searched for, and a cube costs a few dictionary look-ups.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.typed import TYPE_CHECKING
from engines.treeblox.lattice import COLUMNS, neighbours
from engines.treeblox.moves import growth_rate

if TYPE_CHECKING:
    import random


def play_at_random(
    cubes: Mapping[int, int],
    tops: Mapping[int, int],
    free: tuple[tuple[int, ...], tuple[int, ...]],
    stock: tuple[int, ...],
    active: tuple[int, int],
    turn: tuple[int, str, int, str],
    rng: random.Random,
) -> tuple[int, int]:
    """Play from a position that is not over; all but ``rng`` is as in ``TreebloxState``.

    Returns:
        The active leaves at the end, one number a player.
    """
    me, phase, left, passing = turn
    filled, highest = dict(cubes), dict(tops)
    cells = (list(free[0]), list(free[1]))
    known = (set(free[0]), set(free[1]))  # cells that are or were in the list
    stocks, lights = list(stock), list(active)
    if phase == "first":
        for player in range(me, 2):
            _put_first_leaf(player, cells[player], filled, highest, rng)
            stocks[2 * player + 1] -= 1
            lights[player] = 1
        me, left, passing = 0, 1, "idle"

    draw = rng.random
    after_empty, unplaced = passing == "end", passing != "stop"
    may_pass = phase != "final"
    mine, mine_known = cells[me], known[me]
    branches, leaves = stocks[2 * me], stocks[2 * me + 1]
    while True:
        count = len(mine)
        with_branch = count if branches else 0
        choices = with_branch + count if leaves else with_branch
        if not (choices or may_pass):
            break  # the final growth has run out of cells
        # off from uniform by less than 2**-45
        choice = int(draw() * (choices + may_pass))
        if choice != choices:
            leaf = choice >= with_branch
            if leaf:
                choice -= with_branch
            cell = mine[choice]
            mine[choice] = mine[-1]
            mine.pop()
            if cell in filled:
                continue

            column = cell % COLUMNS
            lower = highest.get(column, -1)
            if lower < cell:
                highest[column] = cell
                if leaf:
                    lights[me] += 1
                if lower >= 0:
                    shaded = filled[lower]
                    if shaded & 1:
                        lights[shaded >> 1] -= 1
                        if not lights[shaded >> 1]:
                            break
            if leaf:
                filled[cell] = 2 * me + 1
                leaves -= 1
            else:
                filled[cell] = 2 * me
                branches -= 1
                for near in neighbours(cell):
                    if near not in mine_known:
                        mine_known.add(near)
                        mine.append(near)

            unplaced = False
            left -= 1
            if not (branches or leaves):
                if not may_pass:
                    break  # the final growth is complete
                may_pass = False
            elif left:
                continue
        elif unplaced and after_empty:
            break

        # the turn is over
        after_empty, unplaced = unplaced, True
        stocks[2 * me], stocks[2 * me + 1] = branches, leaves
        me = 1 - me
        mine, mine_known = cells[me], known[me]
        branches, leaves = stocks[2 * me], stocks[2 * me + 1]
        left = growth_rate(lights[me]) if may_pass else branches + leaves
    return lights[0], lights[1]


def _put_first_leaf(
    player: int,
    ground: list[int],
    filled: dict[int, int],
    highest: dict[int, int],
    rng: random.Random,
) -> None:
    vacant = [cell for cell in ground if cell not in filled]
    cell = vacant[int(rng.random() * len(vacant))]
    filled[cell] = 2 * player + 1
    highest[cell % COLUMNS] = cell
