"""Which cards make the path that a suit scores, for people who want to see it.

``scoring`` counts points and keeps no path, as it is asked in every game; here every path is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.build_your_arboretum.cards import EMPTY, NEIGHBOURS

__all__ = ["Path", "path_value", "scored_path", "scored_paths"]

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
