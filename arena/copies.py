"""One bot in several seats: names for its copies; openings for games that always begin alike."""

from __future__ import annotations

from collections.abc import Sequence

from arena.model import Opening
from arena.tournament.names import same_name
from engines import Game

__all__ = ["numbered", "usual_opening"]

PLIES = 2  # random ones that open a game whose deals are all alike
DEALS = 16  # looked at, for whether they are


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Give a bot that has several seats a number in each but the first.

    >>> numbered(["oak", "elm", "elm"])
    ('oak', 'elm', 'elm#2')
    """
    found: list[str] = []
    for name in names:
        number, choice = 1, name
        while same_name(choice) in map(same_name, found):
            number += 1
            choice = f"{name}#{number}"
        found.append(choice)
    return tuple(found)


def usual_opening(game: Game) -> Opening:
    """Return the random opening that a game needs so that not every match begins alike."""
    alike = len({game.setup(seed) for seed in range(DEALS)}) == 1
    return Opening(plies=PLIES if alike else 0)
