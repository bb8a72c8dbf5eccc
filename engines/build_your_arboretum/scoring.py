"""What a final position is worth: rights from the ad boards, the best path of each suit.

Numbers rise along a path, so a garden is a graph without cycles: one walk over its cells in the
order of their numbers finds the best path of a suit exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.build_your_arboretum.cards import EMPTY, NEIGHBOURS, SUITS
from engines.core.typed import NamedTuple

SUMS = tuple(sum(n + 1 for n in range(8) if numbers >> n & 1) for numbers in range(256))
"""The sum of a set of numbers 1 … 8, bit n for number n + 1."""

_KEPT = 1 << 12
"""Gardens whose paths are kept, half a megabyte or so: most actions leave both as they are."""


class ScoreLine(NamedTuple):
    """One line of the score: what for, and the points of players 0 and 1."""

    what: str
    first: int
    second: int

    def points(self, player: int) -> int:
        """Return the points of one of them."""
        return self.second if player else self.first


def score_lines(
    parrots: list[int], starter: int, boards: list[int], gardens: list[bytes]
) -> list[ScoreLine]:
    """Return the score line by line: ``parrots``, ``starter``, then the suits.

    Args:
        parrots: two numbers.
        starter: the starting player after the last round, -1 if there is none.
        boards: the two ad boards, as sets of cards.
        gardens: the two arboretums, 36 bytes each.
    """
    names = ("parrots", "starter", *SUITS)
    pairs = _pairs(parrots, starter, boards, gardens)
    return [ScoreLine(what, *pair) for what, pair in zip(names, pairs, strict=True)]


def totals(
    parrots: list[int], starter: int, boards: list[int], gardens: list[bytes]
) -> tuple[int, int]:
    """Return the sums of the score's lines for both players; arguments as for ``score_lines``."""
    firsts, seconds = zip(*_pairs(parrots, starter, boards, gardens), strict=True)
    return sum(firsts), sum(seconds)


def _pairs(
    parrots: list[int], starter: int, boards: list[int], gardens: list[bytes]
) -> list[tuple[int, int]]:
    """Return the points of both for parrots, for being the starting player, and for each suit."""
    lead = 2 * (parrots[0] - parrots[1])
    pairs = [(max(lead, 0), max(-lead, 0)), (int(starter == 0), int(starter == 1))]
    firsts, seconds = map(best_paths, gardens)
    for suit, (first, second) in enumerate(zip(firsts, seconds, strict=True)):
        if first or second:
            may = rights_to(boards, suit)
            first, second = first * may[0], second * may[1]
        pairs.append((first, second))
    return pairs


def rights_to(boards: list[int], suit: int) -> tuple[bool, bool]:
    """Return who may score a suit, from the two ad boards."""
    return rights(boards[0] >> 8 * suit & 255, boards[1] >> 8 * suit & 255)


def rights(first: int, second: int) -> tuple[bool, bool]:
    """Return who may score a suit, from the numbers of it on the two ad boards (bit n: n + 1).

    An 8 counts nothing against the opponent's 1; the larger sum has the right, equal sums both.

    >>> rights(0b10000000, 0b1)
    (False, True)
    """
    ours = SUMS[first & 127 if second & 1 else first]
    theirs = SUMS[second & 127 if first & 1 else second]
    return ours >= theirs, theirs >= ours


@lru_cache(_KEPT)
def best_paths(garden: bytes) -> tuple[int, ...]:
    """Return the value of each suit's best path in an arboretum, 0 where it has none."""
    planted = sorted([(card & 7, cell, card) for cell, card in enumerate(garden) if card != EMPTY])
    slopes = [
        (cell, card, [low for low in NEIGHBOURS[cell] if garden[low] & 7 < number])
        for number, cell, card in planted
    ]
    suits = bytes([card >> 3 for card in garden])
    return tuple([_best(slopes, suit) if suits.count(suit) > 1 else 0 for suit in range(8)])


_Slope = tuple[int, int, list[int]]
"""A cell, its card, and the adjacent cells whose cards have smaller numbers."""


def _best(slopes: list[_Slope], suit: int) -> int:
    best = 0
    # The most a path of the suit can bring that ends in a cell, 0 if none does: 1 a card over
    # cards of any suit; 2 a card over cards of the suit alone; the bonus for a 1 included.
    mixed = [0] * 36
    pure = [0] * 36
    for cell, card, lower in slopes:
        climb = 0
        for low in lower:
            if mixed[low] > climb:
                climb = mixed[low]
        if card >> 3 != suit:
            if climb:
                mixed[cell] = climb + 1
            continue
        steep = max([pure[low] for low in lower], default=0)
        beginning = 0 if card & 7 else 1
        ending = 2 if card & 7 == 7 else 0
        if climb:
            best = max(best, climb + 1 + ending)
        if steep >= 6:  # 3 cards before this one: the fourth makes it count double
            best = max(best, steep + 2 + ending)
        mixed[cell] = (climb or beginning) + 1
        pure[cell] = (steep or beginning) + 2
    return best


Path = tuple[int, ...]
"""Cells, each adjacent to the next, with rising numbers; the first and the last have the suit."""


def scored_paths(garden: bytes, scoring: Sequence[bool]) -> dict[int, Path]:
    """Return the paths that are counted, by suit; ``scoring`` says of which suits any is."""
    return {suit: scored_path(garden, suit) for suit, scores in enumerate(scoring) if scores}


@lru_cache(256)  # from one position to the next most gardens stay as they are
def scored_path(garden: bytes, suit: int) -> Path:
    """Return the best path of a suit, () if it has none; of equal ones the first found."""
    best: Path = ()
    most = 0
    for cell, card in enumerate(garden):
        if card != EMPTY and card >> 3 == suit:
            for path in _paths_from(garden, (cell,), suit):
                value = path_value(garden, path)
                if value > most:
                    best, most = path, value
    return best


def path_value(garden: bytes, path: Path) -> int:
    """Return what a path is worth to a player who has the right to score its suit."""
    cards = [garden[cell] for cell in path]
    pure = len(path) >= 4 and len({card >> 3 for card in cards}) == 1
    begins, ends = cards[0] & 7 == 0, cards[-1] & 7 == 7
    return len(path) * (2 if pure else 1) + (1 if begins else 0) + (2 if ends else 0)


def _paths_from(garden: bytes, begun: Path, suit: int) -> list[Path]:
    """Return the paths of a suit that go on from these cells; numbers rise, so there are few."""
    number = garden[begun[-1]] & 7
    found: list[Path] = []
    for cell in NEIGHBOURS[begun[-1]]:
        card = garden[cell]
        if card != EMPTY and card & 7 > number:
            longer = (*begun, cell)
            if card >> 3 == suit:
                found.append(longer)
            found += _paths_from(garden, longer, suit)
    return found
