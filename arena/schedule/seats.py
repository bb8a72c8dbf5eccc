"""In which seats the entrants of one block meet: everybody sits everywhere equally often."""

from __future__ import annotations

import random
from collections.abc import Iterable

from arena.schedule.seeds import block_seed
from engines.core.chance import shuffled


def seating(
    entrants: Iterable[str], number: int, tournament_seed: int | None, game: str, k: int
) -> tuple[str, ...]:
    """Return who sits where, seat 0 first, in one of a block's seatings.

    A block has as many seatings as entrants. Two sit in the order of their names, then swapped;
    more than two sit in a cyclic order drawn from the block's seed, moved on by one each time.

    Args:
        entrants: the names of those who meet, in any order.
        number: the seating's number, from 0.
        tournament_seed: the tournament's one seed; two can do without (``None``).
        game: the game's canonical name.
        k: the number of the block within its pairing, from 0.

    >>> seating(("oak", "elm"), 0, 2026, "leaves", 0), seating(("oak", "elm"), 1, 2026, "leaves", 0)
    (('elm', 'oak'), ('oak', 'elm'))
    """
    order = sorted(entrants)
    if len(order) > 2:
        assert tournament_seed is not None, "a tournament that has started has a seed"
        order = shuffled(random.Random(block_seed(tournament_seed, game, order, k)), order)
    return (*order[number:], *order[:number])
