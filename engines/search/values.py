"""What a position is worth to a player that looks a few actions ahead, in any game.

Where the scores alone say little there is a function of the game.
"""

from __future__ import annotations

import engines
from engines.search.arborius import arborius
from engines.search.knowledge import lead

_NEIGHBOURS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def _treeblox(state: engines.State, player: int) -> float:
    """Lead in active leaves, with room to grow and leaves kept for later.

    The weights are those that did best against random play among a dozen tried.
    """
    cubes = [_parse_cells(field) for field in state.observation(None).split(" ")[4:8]]
    taken = {cell for cells in cubes for cell in cells}
    room = [_open_cells(cubes[0], taken), _open_cells(cubes[2], taken)]
    leaves = [16 - len(cubes[1]), 16 - len(cubes[3])]
    other = 1 - player
    return (
        lead(state, player)
        + 0.25 * (room[player] - room[other])
        + 0.3 * (leaves[player] - leaves[other])
    )


def _the_tree(state: engines.State, player: int) -> float:
    """Few tiles left, another turn at once, and places left for the tiles in hand."""
    fields = state.observation(None).split(" ")
    hands = [0 if hand == "-" else hand.count(",") + 1 for hand in fields[1].split("/")]
    others = [tiles for seat, tiles in enumerate(hands) if seat != player]
    value = min(others, default=0) - hands[player] + 10 * lead(state, player)
    if state.players_to_act() == (player,):
        value += 3.0
    fields[3] = str(player)
    try:
        own_turn = state.game.new_initial_state(" ".join(fields))
    except engines.BadSetup:  # the game is over, or somebody else must be to act
        return value
    places = own_turn.count_legal(player) if own_turn.players_to_act() == (player,) else 0
    return value + 0.3 * min(places, 40)


def _parse_cells(field: str) -> list[tuple[int, ...]]:
    """Read a list of cells as Treeblox writes it."""
    if field == "-":
        return []
    return [tuple(map(int, cell.split("."))) for cell in field.split(",")]


def _open_cells(branches: list[tuple[int, ...]], taken: set[tuple[int, ...]]) -> int:
    """Count the vacant cells that touch a branch."""
    found = {
        (x + dx, y + dy, z + dz)
        for x, y, z in branches
        for dx, dy, dz in _NEIGHBOURS
        if z + dz >= 0
    }
    return len(found - taken)


def worth_to(state: engines.State, player: int) -> tuple[float, float]:
    """Return what a position is worth: the returns if it is over, else 0; then what leads there.

    Pairs are compared in this order: a won game is better than any lead.
    """
    value = _VALUES.get(state.game.name, lead)(state, player)
    return (state.returns()[player] if state.is_terminal() else 0.0), value


def installed_game(name: str) -> engines.Game | None:
    """Return the game of a text, or ``None`` if this machine does not have it."""
    try:
        return engines.load_game(name)
    except engines.EngineError:
        return None


_VALUES = {"treeblox": _treeblox, "the_tree": _the_tree, "arborius": arborius}
