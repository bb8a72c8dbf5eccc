"""Actions as text and as tuples (rules section 8).

Inside, an action is its verb and four numbers, the unused ones 0, e.g. ``("move", tile, count, 0,
0)``; ``SHAPES`` says what the numbers of each verb are.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.arborius.cast import ROOT, Cast
from engines.arborius.grid import FACES, cell_text, read_cell
from engines.core.errors import IllegalAction, near_miss
from engines.core.text import natural

__all__ = ["LEFT", "RIGHT", "SHAPES", "Action", "action_text", "read_action"]

Action = tuple[str, int, int, int, int]

LEFT, RIGHT = 3, 1  # quarters clockwise
MOST_WRITTEN = 1 << 14  # texts that a cast keeps

SHAPES: dict[str, tuple[str, ...]] = {
    "move": ("tile", "count"),
    "attack": ("tile", "tile"),
    "unplay": ("tile",),
    "play": ("tile", "board", "cell", "face"),
    "enter": ("tile", "count", "cell"),
    "exit": ("tile", "count"),
    "thaw": ("tile",),
    "use": ("tile", "tile"),
    "rotate": ("tile", "turn"),
    "freeze": ("tile",),
    "reorder": ("tile", "count", "count"),
    "descend": ("tile", "count"),
    "ascend": ("tile", "count"),
    "chain": ("tile", "tile"),
    "give": ("tile", "cell"),
    "end": (),
    "pass": (),
}

_EXAMPLES = {
    "tile": "a tile like w3",
    "count": "a number",
    "board": 'a tile or "root"',
    "cell": "a cell like -1,0",
    "face": "N, E, S or W",
    "turn": "L or R",
}


def action_text(cast: Cast, action: Action) -> str:
    """Write an action: the inverse of ``read_action``."""
    text = cast.written.get(action)  # of one list, most were in the last one
    if text is None:
        if len(cast.written) == MOST_WRITTEN:
            cast.written.clear()
        text = cast.written[action] = _write(cast, action)
    return text


def _write(cast: Cast, action: Action) -> str:
    verb = action[0]
    ids = cast.ids
    if verb == "play":
        _, tile, board, cell, face = action
        return f"play:{ids[tile]}:{ids[board]}:{cell_text(cell)}:{FACES[face]}"
    words = [verb]
    for kind, value in zip(SHAPES[verb], action[1:], strict=False):
        if kind == "tile":
            words.append(ids[value])
        elif kind == "count":
            words.append(str(value))
        elif kind == "cell":
            words.append(cell_text(value))
        else:
            words.append("L" if value == LEFT else "R")
    return ":".join(words)


def read_action(cast: Cast, text: str) -> Action:
    """Read an action, written exactly as ``action_text`` writes it; raises ``IllegalAction``."""
    verb, *words = text.split(":")
    shape = SHAPES.get(verb)
    if shape is None:
        known = ", ".join(SHAPES)
        raise IllegalAction(
            f"unknown action {_quoted(verb)}{near_miss(verb[:20], SHAPES)}: expected one of {known}"
        )
    if len(words) != len(shape):
        form = ":".join([verb, *shape])
        raise IllegalAction(f"expected {form}, found {_quoted(text)}")
    values = [0, 0, 0, 0]
    for i, (kind, word) in enumerate(zip(shape, words, strict=True)):
        value = _READERS[kind](cast, word)
        if value is None:
            raise IllegalAction(
                f"expected {_EXAMPLES[kind]} as part {i + 2} of {_quoted(text)}, "
                f"found {_quoted(word)}"
            )
        values[i] = value
    return (verb, *values)  # type: ignore[return-value]  # four values, but a list cannot say so


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 60 else text[:57] + "...")


def _read_board(cast: Cast, word: str) -> int | None:
    return ROOT if word == "root" else cast.number.get(word)


_READERS: dict[str, Callable[[Cast, str], int | None]] = {
    "tile": lambda cast, word: cast.number.get(word),
    "count": lambda cast, word: natural(word),
    "board": _read_board,
    "cell": lambda cast, word: read_cell(word),
    "face": lambda cast, word: {"N": 0, "E": 1, "S": 2, "W": 3}.get(word),
    "turn": lambda cast, word: {"L": LEFT, "R": RIGHT}.get(word),
}
