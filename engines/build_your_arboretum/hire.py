"""What a new parrot may cost: the sets of an ad board's cards that add up to enough."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

from engines.build_your_arboretum.cards import CARDS, members

__all__ = ["count_hires", "hire_actions", "hires"]


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
