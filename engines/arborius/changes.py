"""What happens to tiles, and the ways they can go (rules sections 5, 5.1 and 6.2).

These change the position they are given and ask nothing; what is legal is said elsewhere.
"""

from __future__ import annotations

from functools import lru_cache

from engines.arborius.actions import Action
from engines.arborius.cast import ROOT
from engines.arborius.grid import AHEAD, ORIGIN
from engines.arborius.position import DEAD, DECK, TURN, Gifts, Place, Position, Spot


def shift(pos: Position, tile: int, count: int, board: int, cell: int) -> None:
    """Move the top ``count`` tiles of a tile's stack onto a cell, in their order."""
    home, start = pos.home[tile], pos.cell[tile]
    stack = pos.boards[home][start]
    rest = len(stack) - count
    _put(pos, home, start, stack[:rest])
    moved = stack[rest:]
    _put(pos, board, cell, pos.boards[board].get(cell, ()) + moved)
    _stand(pos, moved, board, cell)


def put_in(pos: Position, tile: int, place: Place) -> None:
    """Put a tile from its deck on top of a cell."""
    board, cell, _ = place
    _put(pos, board, cell, (*pos.boards[board].get(cell, ()), tile))
    pos.home[tile], pos.cell[tile], pos.face[tile] = place
    if pos.run:
        # a user that comes back has a current place again (section 6.1)
        pos.run = tuple([r._replace(left_at=None) if r.user == tile else r for r in pos.run])


def unplay(pos: Position, tiles: tuple[int, ...]) -> None:
    """Return tiles and all that is inside them to their decks."""
    for tile in tiles:
        inside = pos.boards[tile]
        if inside:
            for stack in inside.values():
                unplay(pos, stack)
        _leave(pos, tile, DECK)


def rotate(pos: Position, tiles: tuple[int, ...], turn: int) -> None:
    """Turn tiles by ``turn`` quarters clockwise."""
    for tile in tiles:
        pos.face[tile] = (pos.face[tile] + turn) % 4


def reorder(pos: Position, tile: int, count: int, below: int) -> None:
    """Reinsert the top ``count`` tiles as a block with ``below`` tiles under them."""
    stack = pos.stack(tile)
    rest, block = stack[:-count], stack[-count:]
    _put(pos, pos.home[tile], pos.cell[tile], rest[:below] + block + rest[below:])


def attack(pos: Position, attacker: int, defender: int) -> None:
    """Loot and kill the defender, or make its owner owe gifts (section 5.1)."""
    value = pos.attack_value(attacker)
    inside = pos.boards[defender]
    if len(inside) <= value:
        for cell in sorted(inside):
            _slide_under(pos, defender, cell, attacker)
        _leave(pos, defender, DEAD)
        pos.dead |= 1 << defender
        pos.hit &= ~(1 << defender)
        return
    pos.give = Gifts(attacker, defender, value)
    if pos.phase == TURN and pos.cast.owner[defender] != pos.actor:
        pos.hit |= 1 << defender


def give(pos: Position, cell: int) -> None:
    """Slide the stack on a cell of the giver's board under the taker."""
    gifts = pos.give
    assert gifts is not None
    _slide_under(pos, gifts.giver, cell, gifts.taker)
    pos.give = gifts._replace(left=gifts.left - 1) if gifts.left > 1 else None


def _slide_under(pos: Position, board: int, cell: int, attacker: int) -> None:
    loot = pos.boards[board][cell]
    _put(pos, board, cell, ())
    home, goal = pos.home[attacker], pos.cell[attacker]
    _put(pos, home, goal, loot + pos.boards[home][goal])
    _stand(pos, loot, home, goal)


def _leave(pos: Position, tile: int, where: int) -> None:
    """Take one tile out of play; its inside must be empty or leave as well."""
    if pos.run:
        place = pos.place(tile)
        pos.run = tuple([r._replace(left_at=place) if r.user == tile else r for r in pos.run])
    home, cell = pos.home[tile], pos.cell[tile]
    stack = pos.boards[home][cell]
    _put(pos, home, cell, tuple([t for t in stack if t != tile]))
    pos.home[tile], pos.cell[tile], pos.face[tile] = where, 0, 0
    pos.frozen &= ~(1 << tile)


def _put(pos: Position, board: int, cell: int, stack: tuple[int, ...]) -> None:
    """Let a cell hold this stack, or nothing if it is ()."""
    pos.boards[board] = pos.boards[board].with_stack(cell, stack)


def _stand(pos: Position, tiles: tuple[int, ...], board: int, cell: int) -> None:
    for tile in tiles:
        pos.home[tile] = board
        pos.cell[tile] = cell


FACINGS = tuple(enumerate(AHEAD))


def go(pos: Position, action: Action) -> None:
    """Carry out a move, descent, ascent, entry or exit."""
    verb, tile, count, cell, _ = action
    if verb == "enter":
        into = entered(pos, tile)
        assert into is not None
        shift(pos, tile, count, into, cell)
    elif verb == "exit":
        goal = way_out(pos, tile)
        assert goal is not None
        shift(pos, tile, count, *goal)
    else:
        shift(pos, tile, count, pos.home[tile], pos.front(tile))


def entered(pos: Position, tile: int) -> int | None:
    """Return the tile that a top tile would enter: the top of its front cell."""
    stack = pos.front_stack(tile)
    return stack[-1] if stack else None


def landings(pos: Position, tile: int, into: int) -> list[int]:
    """Return the cells inside ``into`` where ``tile`` can land, in order."""
    inside = pos.boards[into]
    if not inside:
        return [ORIGIN]
    step = AHEAD[pos.face[tile]]
    return sorted([cell - step for cell in inside if cell - step not in inside])


def can_land(pos: Position, tile: int, into: int, cell: int) -> bool:
    """Return whether a cell is one of the ``landings``."""
    return cell in landings(pos, tile, into)


def way_out(pos: Position, tile: int) -> tuple[int, int] | None:
    """Return the board and cell to which a tile can exit; ``None`` if it cannot."""
    container = pos.home[tile]
    if container == ROOT:
        return None
    board = pos.home[container]
    goal = pos.cell[container] + AHEAD[pos.face[tile]]
    if len(pos.boards[board].get(goal, ())) > len(pos.stack(container)):
        return None
    return board, goal


def open_spots(pos: Position, board: int, faced: int) -> list[Spot]:
    """Return the spots from which a tile played would face a stack, by facing; not to be changed.

    Most are empty: only what stands around the stack is looked at, and lists are made once.
    """
    cells, own, barred = pos.boards[board], pos.cast.own[pos.actor], 0
    for face, step in _TAKEN[cells.rings[faced]]:
        if not own >> cells[faced - step][-1] & 1:
            barred |= 1 << face
    return _spots(board, faced, barred)


@lru_cache(maxsize=1 << 14)
def _spots(board: int, faced: int, barred: int) -> list[Spot]:
    return [(board, faced - step, face) for face, step in FACINGS if not barred >> face & 1]


# for every set of occupied neighbours: the facings whose spots are occupied
_TAKEN = tuple([at for at in FACINGS if ring >> (2 * at[0] + 4) % 8 & 1] for ring in range(256))


def can_play(pos: Position, board: int, cell: int) -> bool:
    """Return whether a tile played on a cell covers no enemy."""
    stack = pos.boards[board].get(cell)
    return stack is None or bool(pos.cast.own[pos.actor] >> stack[-1] & 1)
