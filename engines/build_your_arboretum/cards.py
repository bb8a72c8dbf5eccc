"""The 64 cards, the 36 cells of an arboretum, their names, and sets of them as bits of an integer.

A card is an index 0 … 63, suit by suit: P1 P2 … P8 Q1 … W8. A cell is an index 0 … 35, column by
column, so that bit order is the order in which lists are shown:

        A   B   C   D   E   F
    1   0   6  12  18  24  30
    2   1   7  13  19  25  31
    …
    6   5  11  17  23  29  35
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

SUITS = "PQRSTUVW"

CARDS = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, 9))

CARD_INDEX = {name: index for index, name in enumerate(CARDS)}

CELLS = tuple(f"{column}{row}" for column in "ABCDEF" for row in range(1, 7))

CELL_INDEX = {name: index for index, name in enumerate(CELLS)}

EVERY_CELL = (1 << 36) - 1

NEIGHBOURS = tuple(
    tuple(
        other for other in range(36) if abs(other // 6 - cell // 6) + abs(other % 6 - cell % 6) == 1
    )
    for cell in range(36)
)
"""The adjacent cells of each cell, ascending."""

ADJACENT = tuple(sum(1 << other for other in others) for others in NEIGHBOURS)
"""The same as sets of cells."""

EMPTY = 255

"""What a garden holds in a cell without a card; a garden is 36 bytes, one a cell.

Read as a card it has the highest number, so that no card stands above it on a path.
"""

EMPTY_GARDEN = bytes([EMPTY]) * 36

PURSE = tuple(1 << 3 * (card % 8) for card in range(64))
"""What a card adds to a board's purse: how many cards of each number it holds, 3 bits a number."""


def members(bits: int) -> list[int]:
    """Return the indices of a set, ascending.

    >>> members(0b1010)
    [1, 3]
    """
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def cells_of(soil: int) -> list[int]:
    """Return the cells of a set, ascending, as ``members`` does; quicker where they are many."""
    found: list[int] = []
    for place, byte in enumerate(soil.to_bytes(5, "little")):
        if byte:
            found += _cells_of_byte(place, byte)
    return found


@cache  # 1,280 of them at most
def _cells_of_byte(place: int, byte: int) -> tuple[int, ...]:
    return tuple([8 * place + bit for bit in range(8) if byte >> bit & 1])


def nth(bits: int, k: int) -> int:
    """Return the k-th index of a set, counted from 0; the set must have more than k.

    >>> nth(0b1010, 1)
    3
    """
    for _ in range(k):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def cards_text(bits: int) -> str:
    """Write a set of cards: ascending, comma-separated, ``-`` if there is none.

    >>> cards_text(0b101 | 1 << 63)
    'P1,P3,W8'
    """
    if not bits:
        return "-"
    suits = enumerate(bits.to_bytes(8, "little"))
    return ",".join([_suit_text(suit, numbers) for suit, numbers in suits if numbers])


@lru_cache(256)  # an action leaves one of them as it is, if not both
def garden_text(garden: bytes) -> str:
    """Write an arboretum: ``CARD@CELL`` by cell, comma-separated, ``-`` if it is empty."""
    return (
        ",".join(
            [f"{CARDS[card]}@{CELLS[cell]}" for cell, card in enumerate(garden) if card != EMPTY]
        )
        or "-"
    )


@cache
def _suit_text(suit: int, numbers: int) -> str:
    return ",".join(CARDS[8 * suit + number] for number in members(numbers))


def hires(cards: Sequence[int], parrots: int) -> list[int]:
    """Return the sets that may be discarded: by number of cards, then by the list of cards.

    Args:
        cards: the ad board, ascending.
        parrots: how many the player has; the numbers must add up to one more at least.

    Returns:
        Sets of cards, as bits.
    """
    sums = [0]
    sets = [0]
    for card in cards:
        number = (card & 7) + 1
        bit = 1 << card
        sums += [total + number for total in sums]
        sets += [chosen | bit for chosen in sets]
    return [sets[place] for place in _places(len(cards)) if sums[place] > parrots]


@lru_cache(1 << 10)  # a board stays as it is until its player's next bulletin turn
def hire_actions(board: int, parrots: int) -> tuple[str, ...]:
    """Return ``hire:`` and the cards of each of the ``hires``.

    Args:
        board: the ad board, as a set of cards.
        parrots: as for ``hires``.
    """
    cards = members(board)
    sums = [0]
    texts = ["hire:"]
    for card in cards:
        number, name = (card & 7) + 1, CARDS[card] + ","
        sums += [total + number for total in sums]
        texts += [text + name for text in texts]
    return tuple([texts[place][:-1] for place in _places(len(cards)) if sums[place] > parrots])


@cache
def count_hires(purse: int, parrots: int) -> int:
    """Return how many sets may be discarded; the purse tells the numbers (``cards.PURSE``).

    There are 6,435 purses of at most 7 cards, so that the answers are kept.
    """
    sums = [0]
    for number in range(1, 9):
        for _ in range(purse >> 3 * (number - 1) & 7):
            sums += [total + number for total in sums]
    return len([total for total in sums if total > parrots])


@cache
def _places(size: int) -> list[int]:
    """Return the non-empty subsets of 0 … size - 1 as bits: by size, then as ascending lists."""
    return [
        sum(1 << index for index in chosen)
        for count in range(1, size + 1)
        for chosen in combinations(range(size), count)
    ]
