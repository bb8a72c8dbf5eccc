"""Actions as text and as tuples (rules section 8).

Inside, an action is its verb and four numbers, the unused ones 0, e.g. ``("move", tile, count, 0,
0)``; ``SHAPES`` says what the numbers of each verb are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines.arborius.cast import ROOT, Cast, Icon
from engines.arborius.grid import FACES, cell_text, read_cell
from engines.core.drawing import text
from engines.core.errors import IllegalAction, near_miss
from engines.core.text import natural

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

_PATHS = {
    "freeze": "M7 1V13M1.8 4L12.2 10M1.8 10L12.2 4",  # a snowflake
    "rotate": "M11.5 4A5.3 5.3 0 1 0 12.3 8M12 .8V4.6H8.2",  # an arrow around
    "descend": "M1 3H7V9H13M10.2 5.8L13 9L10.2 12.2",  # down a step
    "ascend": "M1 11H7V5H13M10.2 1.8L13 5L10.2 8.2",  # up a step
    "reorder": "M4 13V2M1 5L4 2L7 5M10 1V12M7 9L10 12L13 9",  # one up, one down
    "unplay": "M2 2H12V12H2ZM4.5 7H9.5",  # a minus
    "play": "M2 2H12V12H2ZM4.5 7H9.5M7 4.5V9.5",  # a plus
    "enter": "M8 2H13V12H8M1 7H9M6 4L9 7L6 10",  # into a frame
    "exit": "M6 2H1V12H6M4 7H13M10 4L13 7L10 10",  # out of it
    "attack": "M2 12L12 2M12 2H8.5M12 2V5.5M2.5 8L6 11.5",  # a sword
    "defend": "M2 2H12V6C12 9.5 9.5 12 7 13C4.5 12 2 9.5 2 6Z",  # a shield
}

KEY = (
    "s: whole stack, f: tile in front,",
    "2: two neighbours, and so on",
    "tip: where the tile faces; strip: covered",
    "blue frame and flake: frozen",
)

_STEP = 15.5  # from one sign to the next

_LETTER = 7


def sign(verb: str, x: float, y: float, colour: str) -> str:
    """Return the sign of a verb; ``colour`` is that of the palette."""
    return (
        f'<path class="none {colour}-line" stroke-width="1.6" '
        f'transform="translate({x:g} {y:g})" d="{_PATHS[verb]}"/>'
    )


def length(icons: tuple[Icon, ...]) -> float:
    """Return how many pixels the signs of an ability take."""
    return sum([_STEP + _LETTER * len(_letters(icon)) for icon in icons])


def ability(icons: tuple[Icon, ...], x: float, y: float, room: float, colour: str) -> str:
    """Return the signs of an ability from left to right; three dots stand for what has no room."""
    whole = length(icons) <= room
    shown, right = "", x + room - (0 if whole else _STEP)
    for icon in icons:
        if x + length((icon,)) > right:
            return shown + text(x, y + 12, "…", f"{colour} small")
        shown += sign(icon.verb, x, y, colour)
        if letters := _letters(icon):
            shown += text(x + _STEP - 1, y + 12, letters, f"{colour} small")
        x += length((icon,))
    return shown


def key(x: int, y: int, columns: int, width: int) -> Iterator[str]:
    """Write what each sign means, in columns of a width."""
    rows = -(-len(_PATHS) // columns)
    for place, verb in enumerate(_PATHS):
        column, row = divmod(place, rows)
        left, top = x + column * width, y + 19 * row
        yield f"<g>{sign(verb, left, top, 'ink')}{text(left + 20, top + 12, verb, 'ink small')}</g>"


def _letters(icon: Icon) -> str:
    where = str(icon.times) if icon.where == "adj" else icon.where[:1]
    return ("s" if icon.stack else "") + where
