"""What happens to tiles: stacks are moved, looted, turned (rules sections 5, 5.1 and 6.2).

These change the position they are given and ask nothing; what is legal is said elsewhere.
"""

from __future__ import annotations

from engines.arborius.position import DEAD, DECK, TURN, Gifts, Place, Position

__all__ = ["attack", "give", "put_in", "reorder", "rotate", "shift", "unplay"]


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
