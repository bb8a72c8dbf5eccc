"""What pictures are made of: signs of abilities, and tiles seen whole or as a strip."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engines.arborius.cast import Cast, Icon
from engines.arborius.position import Position
from engines.core.drawing import rect, text

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


WIDE, TALL = 60, 62  # of a tile that is seen whole

STRIP = 18  # from one covered tile to the next

GAP = 8  # between stacks: room for the tips that show facings

_LONGEST = 9  # characters of a name that fit, pressed together; one less as they are

# by facing: on the edge of a tile, pointing outwards; and at the right end of a strip
_TIPS = ("M22 0L30 -7L38 0Z", "M60 23L67 31L60 39Z", "M22 62L30 69L38 62Z", "M0 23L-7 31L0 39Z")

_ARROWS = ("M44 11L49 4L54 11Z", "M45 3L53 8L45 13Z", "M44 5L49 12L54 5Z", "M53 3L45 8L53 13Z")


def tile(pos: Position, number: int, x: int, y: int) -> Iterator[str]:
    """Draw a tile that is seen whole, with its facing, its ice and what it is worth in a fight."""
    owner, inside = pos.cast.owner[number], pos.boards[number]
    yield f'<g transform="translate({x} {y})">'
    yield _whole(pos.cast, number)
    yield f'<path class="edge{owner}" d="{_TIPS[pos.face[number]]}"/>'
    if pos.is_frozen(number):
        yield _ICE
    if inside:
        colour = f"on{owner}"
        attack, defence = str(pos.attack_value(number)), str(len(inside))
        yield (
            f"<g>{sign('attack', 5, 46, colour)}{text(21, 58, attack, f'{colour} bold')}"
            f"{sign('defend', 33, 46, colour)}{text(49, 58, defence, f'{colour} bold')}</g>"
        )
    yield "</g>"


def strip(pos: Position, number: int, x: int, y: int) -> Iterator[str]:
    """Draw a tile of which only the edge is seen."""
    owner = pos.cast.owner[number]
    yield f'<g transform="translate({x} {y})">'
    yield _covered(pos.cast, number)
    yield f'<path class="edge{owner}" d="{_ARROWS[pos.face[number]]}"/>'
    if pos.is_frozen(number):
        yield _FROST
    yield "</g>"


@lru_cache(1024)
def _whole(cast: Cast, number: int) -> str:
    owner = cast.owner[number]
    colour = f"on{owner}"
    name = cast.name(number)
    shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    room = WIDE - 9 if len(shown) == _LONGEST else None
    return (
        f"<g>{rect(0, 0, WIDE, TALL, f'p{owner} edge{owner}-line', rounded=7)}"
        f"{text(5, 15, cast.ids[number], f'{colour} bold')}"
        f"{text(5, 28, shown, f'{colour} small', room=room)}"
        f"{ability(cast.icons[number], 4, 31, WIDE - 5, colour)}</g>"
    )


@lru_cache(1024)
def _covered(cast: Cast, number: int) -> str:
    owner = cast.owner[number]
    return (
        f"<g>{rect(0, 0, WIDE, STRIP - 2, f'tint{owner} edge{owner}-line', rounded=4)}"
        f"{text(5, 12, cast.ids[number], 'ink small')}</g>"
    )


_ICE = (
    f'<g><g stroke-width="4">{rect(2, 2, WIDE - 4, TALL - 4, "none ice-line", rounded=6)}</g>'
    f'<circle class="cell" cx="50" cy="10" r="9"/>{sign("freeze", 43, 3, "ice")}</g>'
)

_FROST = sign("freeze", 27, 1, "ice")
