"""Actions, observations and setups as text, and what the rules allow a setup to say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from engines.core.errors import BadSetup
from engines.core.text import fields, natural, quoted
from engines.core.typed import TYPE_CHECKING, NamedTuple
from engines.treeblox.lattice import (
    COLUMNS,
    GROUND,
    away,
    cell_text,
    neighbours,
    parse_cell,
    reached,
    well_spelled,
)
from engines.treeblox.moves import OVER, PASSINGS, PHASES, STOCK, growth_rate, has_cell

if TYPE_CHECKING:
    from engines.treeblox.moves import Cells, Turn

DEFAULT = "0 first 1 - - - - -"
LONGEST = len("B-16.-16.16")

_SHAPE = "PLAYER PHASE LEFT PASS DARKBRANCHES DARKLEAVES LIGHTBRANCHES LIGHTLEAVES"
_LISTS = ("dark branches", "dark leaves", "light branches", "light leaves")


class _Actions(dict[int, str]):
    """The actions of one letter by their cells, written when they are first asked for."""

    __slots__ = ("letter",)

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def __missing__(self, cell: int) -> str:
        text = self[cell] = self.letter + cell_text(cell)
        return text


ACTIONS = {letter: _Actions(letter) for letter in "BL"}  # 44,000 if a tree ever reached all


@lru_cache(maxsize=1 << 13)  # a game has less than a tenth of them
def cell_of(action: str) -> int | None:
    """Return the cell of an action that places a cube, ``None`` for all others.

    Texts are kept, so ask for those of ``LONGEST`` characters at most.
    """
    return parse_cell(action[1:]) if action[:1] in ("B", "L") else None


@cache
def every_action() -> tuple[str, ...]:
    """Return all actions of any game: branches, leaves, ``pass``."""
    branches = [f"B{cell_text(cell)}" for cell in reached() if away(cell) < STOCK]
    return (*branches, *(f"L{cell_text(cell)}" for cell in reached()), "pass")


def objection(action: str, legal: str, cubes: Mapping[int, int], free: Cells, turn: Turn) -> str:
    """Say why a text is no legal action of the player to act.

    Args:
        action: the text.
        legal: an action that is.
        cubes: those that are placed, by their cells.
        free: the cells that are available to the player.
        turn: whose turn it is.
    """
    if action == "pass":
        return f"pass is not allowed in the {turn[1]} phase: place a cube, such as {legal}"
    if action[:1] not in ("B", "L") or not well_spelled(action[1:]):
        return (
            f"{quoted(action)} is not spelled like an action: expected B<x>.<y>.<z>, "
            f"L<x>.<y>.<z> or pass, such as {legal}"
        )
    cell = parse_cell(action[1:])
    if action.rpartition(".")[2].startswith("-"):
        why = "the cell is below the board"
    elif cell in cubes:
        why = "the cell is taken"
    elif cell is None or not has_cell(free, cell):
        why = "the cell is neither on the board nor beside a branch of yours"
    elif turn[1] == "first":
        why = "the first cube is a leaf"
    else:
        why = f"no {'branch' if action[0] == 'B' else 'leaf'} is left in the stock"
    return f"{action[:40]}: {why}, unlike {legal}"


def position_text(turn: Turn, cubes: Mapping[int, int]) -> str:
    """Write a position: whose turn it is, and the cells of each code."""
    lists: tuple[list[str], ...] = ([], [], [], [])
    for cell in sorted(cubes):
        lists[cubes[cell]].append(cell_text(cell))
    cells = " ".join([",".join(texts) or "-" for texts in lists])
    return f"{_turn_text(turn)} {cells}"


class Position(NamedTuple):
    """What a state is made of; see ``TreebloxState``."""

    cubes: dict[int, int]
    tops: dict[int, int]
    free: tuple[Cells, Cells]
    stock: tuple[int, ...]
    active: tuple[int, int]
    turn: Turn


def read_position(text: str, *, dropped: bool) -> Position:
    """Return the position of a setup; raises ``BadSetup`` with the first thing that is wrong."""
    parts = fields(text, 8, _SHAPE)
    turn = _read_turn(parts[:4])
    lists = [_read_cells(part, name) for part, name in zip(parts[4:], _LISTS, strict=True)]
    cubes = _unite(lists)
    for player in (0, 1):
        _check_held(set(lists[2 * player]), lists[2 * player + 1])
    position = _position(lists, cubes, turn)
    expected = _expected_turn(position)
    if expected != turn:
        raise BadSetup(f'expected "{_turn_text(expected)}" here, not "{_turn_text(turn)}"')
    if dropped and turn != OVER:
        raise BadSetup(f'a game from which a player was dropped is "{_turn_text(OVER)}"')
    return position


def _read_turn(words: list[str]) -> Turn:
    player, phase_word, left, passing_word = words
    if player not in ("0", "1", "-"):
        raise BadSetup(f"PLAYER is 0, 1 or -, not {quoted(player, 20)}")
    phase = next((word for word in PHASES if word == phase_word), None)
    if phase is None:
        raise BadSetup(f"PHASE is {', '.join(PHASES)}, not {quoted(phase_word, 20)}")
    cubes = natural(left)
    if cubes is None or cubes > 2 * STOCK:
        raise BadSetup(f"LEFT is a number from 0 to {2 * STOCK}, not {quoted(left, 20)}")
    passing = next((word for word in PASSINGS if word == passing_word), None)
    if passing is None:
        raise BadSetup(f"PASS is {', '.join(PASSINGS)}, not {quoted(passing_word, 20)}")
    actor = -1 if player == "-" else int(player)
    return (actor, phase, cubes, passing)


def _read_cells(text: str, name: str) -> list[int]:
    """Read one list of cells, which must be in order."""
    if text == "-":
        return []
    words = text.split(",")
    if len(words) > STOCK:
        raise BadSetup(f"there are at most {STOCK} {name}, not {len(words)}")
    result = []
    for word in words:
        cell = parse_cell(word)
        if cell is None:
            known = well_spelled(word)
            raise BadSetup(
                f"{name}: {quoted(word, 20)} is below the board or out of reach"
                if known
                else f"{name}: a cell is written like 1.2.0, not {quoted(word, 20)}"
            )
        result.append(cell)
    if result != sorted(set(result)):
        raise BadSetup(f"{name} must go by z, then y, then x, each cell once: {text}")
    return result


def _unite(lists: list[list[int]]) -> dict[int, int]:
    cubes: dict[int, int] = {}
    for code, cells in enumerate(lists):
        for cell in cells:
            if cell in cubes:
                raise BadSetup(f"the cell {cell_text(cell)} is used twice")
            cubes[cell] = code
    return cubes


def _check_held(branches: set[int], leaves: list[int]) -> None:
    """Check that a chain of branches joins each branch to the ground, and what leaves are on."""
    held = branches.intersection(GROUND)
    growing = [*held]
    while growing:
        found = branches.intersection(neighbours(growing.pop())) - held
        held |= found
        growing += found
    if loose := branches - held:
        raise BadSetup(f"no chain of own branches joins {cell_text(min(loose))} to the board")
    reached = {*GROUND, *(cell for branch in held for cell in neighbours(branch))}
    for leaf in leaves:
        if leaf not in reached:
            raise BadSetup(f"the leaf {cell_text(leaf)} is not on the board nor beside a branch")


def _position(lists: list[list[int]], cubes: dict[int, int], turn: Turn) -> Position:
    """Work out all that follows from the cubes."""
    tops: dict[int, int] = {}
    for cell in cubes:
        column = cell % COLUMNS
        tops[column] = max(cell, tops.get(column, cell))
    shown = [cubes[cell] for cell in tops.values()]
    return Position(
        cubes,
        tops,
        (_available(lists[0], cubes), _available(lists[2], cubes)),
        tuple(STOCK - len(cells) for cells in lists),
        (shown.count(1), shown.count(3)),
        turn,
    )


def _available(branches: list[int], cubes: Mapping[int, int]) -> tuple[int, ...]:
    cells = {*GROUND, *(cell for branch in branches for cell in neighbours(branch))}
    return tuple(sorted(cells.difference(cubes)))


def _expected_turn(state: Position) -> Turn:
    """Return the one turn that fits the cubes and the setup's player, phase and pass.

    Raises:
        BadSetup: no turn of this player and phase fits the cubes.
    """
    player, phase, _, passing = state.turn
    if phase == "over":
        return OVER
    if player < 0:
        raise BadSetup("PLAYER is - when the game is over, and only then")
    if phase == "first":
        return _expected_first(state)
    if not all(state.active):
        raise BadSetup(f"both trees have an active leaf in the {phase} phase")
    stocks = (sum(state.stock[:2]), sum(state.stock[2:]))
    if phase == "main":
        if not all(stocks):
            raise BadSetup("both players have a stock in the main phase")
        if passing == "-":
            raise BadSetup("PASS is idle, end or stop in the main phase")
        most = min(growth_rate(state.active[player]), stocks[player])
        return (player, phase, 1 if passing == "stop" else most, passing)
    if stocks[1 - player] or not stocks[player]:
        raise BadSetup("in the final phase the player to act has a stock, the other has none")
    if not state.free[player]:
        raise BadSetup("in the final phase a cell is available")
    return (player, phase, stocks[player], "-")


def _expected_first(state: Position) -> Turn:
    if not state.cubes:
        return (0, "first", 1, "-")
    # one dark cube on the ground that is a leaf
    if len(state.cubes) == 1 and state.active == (1, 0):
        return (1, "first", 1, "-")
    raise BadSetup("in the first phase there is no cube, or one dark leaf")


def _turn_text(turn: Turn) -> str:
    player, phase, left, passing = turn
    return f"{'-' if player < 0 else player} {phase} {left} {passing}"
