"""The turn track: in which order the groups of two bids take their turns.

A turn is the number 2 × player + plan (plan 0: bulletin, 1: garden), written ``0b``, ``1g``.
"""

from __future__ import annotations

from engines.build_your_arboretum.bids import Bid

__all__ = ["MOST_TURNS", "TURNS", "TURN_INDEX", "Turns", "turn_track", "turns_text"]

Turns = tuple[int, ...]

MOST_TURNS = 9
TURNS = ("0b", "0g", "1b", "1g")
TURN_INDEX = {text: turn for turn, text in enumerate(TURNS)}


def turn_track(bids: tuple[Bid, Bid], starter: int) -> Turns:
    """Return the turns that two bids earn, at most 9.

    The largest groups go first; among groups of one size the players alternate, the starting
    player first, and who has none left is passed over.

    >>> turns_text(turn_track(((3,), (2,)), 1))
    '1b,0g'
    """
    first = (*bids[starter], 0)  # 0, a group of size 0, ends the list
    second = (*bids[1 - starter], 0)
    first_turn, second_turn = 2 * starter, 2 - 2 * starter
    turns: list[int] = []
    i = j = 0
    group, other = first[0], second[0]
    while (size := max(group, other) >> 1) and len(turns) < MOST_TURNS:
        while group >> 1 == size or other >> 1 == size:
            if group >> 1 == size:
                turns.append(first_turn | group & 1)
                i += 1
                group = first[i]
            if other >> 1 == size:
                turns.append(second_turn | other & 1)
                j += 1
                other = second[j]
    return tuple(turns[:MOST_TURNS])


def turns_text(turns: Turns) -> str:
    """Write turns, the next one first; ``-`` if there is none."""
    return ",".join([TURNS[turn] for turn in turns]) or "-"
