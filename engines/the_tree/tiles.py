"""Tiles: pairs of ring symbols, and the sets and texts made of them.

A tile is its index in ascending order (0 … 35 for ``00`` … ``77``). Lying one way round it is a
*way*, ``8 * left + right``; a set of ways is an ``int`` with bit ``way`` set. A hand is kept as the
ways its tiles can lie, so that a hand meets the board in one ``&``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SYMBOLS = range(8)

_ENDS = tuple((low, high) for low in SYMBOLS for high in range(low, 8))

TILE_TEXTS: tuple[str, ...] = tuple(f"{low}{high}" for low, high in _ENDS)
"""The 36 tiles in ascending order, low symbol first."""

WAYS_OF_TILE: tuple[int, ...] = tuple(
    1 << 8 * low + high | 1 << 8 * high + low for low, high in _ENDS
)
"""The one or two ways a tile can lie, as a set of ways."""

TILE_OF_WAY: tuple[int, ...] = tuple(
    _ENDS.index((min(left, right), max(left, right))) for left in SYMBOLS for right in SYMBOLS
)


def grows(above: int, below: int) -> bool:
    """Return whether a symbol may stand directly above another: all its rings and one more."""
    return above & below == below and (above ^ below).bit_count() == 1


def is_double(tile: int) -> bool:
    """Return whether both halves show the same symbol."""
    low, high = _ENDS[tile]
    return low == high


def hand_of(tiles: Iterable[int]) -> int:
    """Return the set of ways that different tiles can lie."""
    hand = 0
    for tile in tiles:
        hand |= WAYS_OF_TILE[tile]
    return hand


def tiles_of(hand: int) -> Iterator[int]:
    """Return the tiles of a hand in ascending order."""
    return (tile for tile, ways in enumerate(WAYS_OF_TILE) if hand & ways)


def tile_count(hand: int) -> int:
    """Return how many tiles a hand holds."""
    # every double is one way, every other tile two
    return (hand.bit_count() + (hand & _DOUBLES).bit_count()) >> 1


def tiles_text(tiles: Iterable[int], *, hidden: bool = False) -> str:
    """Write tiles joined by commas, ``?`` for each if hidden; ``-`` if there are none."""
    return ",".join("?" if hidden else TILE_TEXTS[tile] for tile in tiles) or "-"


_DOUBLES = hand_of(tile for tile in range(len(_ENDS)) if is_double(tile))
