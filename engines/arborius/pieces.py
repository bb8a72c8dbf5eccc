"""Tiles drawn in lines that stay the same wherever a tile stands.

What never changes of a tile is one line; its facing, its ice and its values are lines of their own,
in a group that says where they stand. So a hundred positions of a game share most of their lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engines.arborius.cast import Cast
from engines.arborius.position import Position
from engines.arborius.signs import ability, sign
from engines.core.drawing import rect, text

__all__ = ["GAP", "STRIP", "TALL", "WIDE", "strip", "tile"]

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
