"""What a person clicks to build an action: a tile, what it does, and then what else is open.

A tile that can be seen whole is clicked as its cell, which is the same place on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.arborius.actions import SHAPES, Action
from engines.arborius.grid import cell_text
from engines.arborius.picture import board_name
from engines.arborius.position import Position
from engines.arborius.text import read_action
from engines.core.choices import Choices

Click = tuple[str, int, int]
"""``cell``, board and cell; ``tile`` and its number; ``face`` or ``turn`` and which; ``count`` and
``below`` and how many; or a verb: what is not used is 0."""

VERBS: list[Click] = [(verb, 0, 0) for verb in SHAPES]


def clicks(pos: Position, choices: Sequence[str]) -> Choices[Click]:
    """Return the clicks of legal actions.

    The verb goes without saying where more must be said and the tile can do nothing else; so does
    everything after it of which there is but one.
    """
    whole = {text: _parts(pos, read_action(pos.cast, text)) for text in choices}
    following: dict[tuple[Click, ...], set[Click]] = {}
    for parts in whole.values():
        for step, part in enumerate(parts):
            following.setdefault(parts[:step], set()).add(part)

    def needed(action: str) -> list[Click]:
        parts = whole[action]
        open_ = [p for n, p in enumerate(parts) if n == 0 or len(following[parts[:n]]) > 1]
        return [*parts[:2]] if len(open_) == 1 else open_

    return Choices(choices, needed)


def words(pos: Position, picks: Choices[Click]) -> Iterator[tuple[Click, str]]:
    """Yield what is clicked and has no place on the boards, with what to write on it."""
    for number in range(pos.cast.size):
        yield ("tile", number, 0), f"{pos.cast.ids[number]} {pos.cast.name(number)}"
    yield from [(verb, verb[0]) for verb in VERBS]
    for kind, said in (("count", "{} tile{}"), ("below", "{} below")):
        most = max([number for key, number, _ in picks if key == kind], default=-1)
        for number in range(most + 1):
            yield (kind, number, 0), said.format(number, "s" if number != 1 else "")
    for face, name in enumerate(("north", "east", "south", "west")):
        yield ("face", face, 0), f"facing {name}"
    yield from [(("turn", 3, 0), "left"), (("turn", 1, 0), "right")]


def place_label(pos: Position, board: int, cell: int) -> str:
    """Say what is in a cell to a person who does not see it."""
    stack = pos.boards[board].get(cell)
    place = f"{cell_text(cell)} in {board_name(pos, board)}"
    if not stack:
        return f"empty cell {place}"
    top = stack[-1]
    return f"{pos.cast.ids[top]} {pos.cast.name(top)}, {place}"


def _parts(pos: Position, action: Action) -> tuple[Click, ...]:
    """Return all that an action says, the tile and the verb first."""
    verb, first, *rest = action
    shape = SHAPES[verb]
    if not shape:
        return ((verb, 0, 0),)
    if verb == "give":  # the tile is the same in all of them
        return (("cell", first, rest[0]),)
    said: list[Click] = [_tile(pos, first), (verb, 0, 0)]
    if verb == "play":
        board, cell, face = rest
        return (*said, ("cell", board, cell), ("face", face, 0))
    for kind, value in zip(shape[1:], rest, strict=False):
        if kind == "tile":
            said.append(_tile(pos, value))
        elif kind == "cell":
            said.append(("cell", pos.front_stack(first)[-1], value))
        else:
            again = kind == "count" and said[-1][0] == "count"
            said.append(("below" if again else kind, value, 0))
    return tuple(said)


def _tile(pos: Position, tile: int) -> Click:
    if pos.in_play(tile) and pos.is_top(tile):
        return "cell", pos.home[tile], pos.cell[tile]
    return "tile", tile, 0
