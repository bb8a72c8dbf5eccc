"""Where a match begins: its setup, its opening, and the position the bots first decide in."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.values.model import MatchJob
from engines import Game, State

MAX_OPENINGS = 200  # tries at an opening that does not end the game, in one deal
MAX_DEALS = 50  # deals tried; the check before a tournament makes it unlikely that all fail


class NoOpening(Exception):
    """No opening of so many plies leaves a game to play."""


class Deal(NamedTuple):
    """A setup, the opening's actions, and every state from the setup's to the first decision."""

    setup: str
    opening: tuple[tuple[int, str], ...]
    states: tuple[State, ...]


def deal(job: MatchJob, game: Game) -> Deal:
    """Lay out a match: as its job says, or from its seed and opening rule."""
    return deal_from(game, job.seed, job.setup, job.opening_actions, plies=job.opening.plies)


def deal_from(
    game: Game,
    seed: int | None,
    setup: str | None = None,
    actions: Sequence[tuple[int, str]] | None = None,
    *,
    plies: int = 0,
    deals: int = MAX_DEALS,
) -> Deal:
    """Lay out a match: the one place where an opening is made.

    Args:
        game: the game.
        seed: what decides the setup and the random plies, as far as they are not given.
        setup: where it begins.
        actions: those of the opening.
        plies: how many are drawn at random where no actions are given; simultaneous nodes are
            always whole, and an opening that ends the game is not used. If none is found, the
            next deal is made, from a seed that comes from this one.
        deals: how many deals are tried.

    Raises:
        EngineError: the setup is none of the game, or an action is not legal where it stands.
        NoOpening: many openings were tried, and all ended the game.
    """
    if actions is None and plies:
        assert seed is not None, "without a seed the opening's actions are given"
        for number in range(deals):
            drawn = _next_seed(seed, number)
            begun = game.setup(drawn) if setup is None else setup
            found = _random_opening(begun, _initial(game, begun), plies, drawn)
            if found is not None:
                return found
        raise NoOpening(f"no random opening of {plies} plies leaves a game to play; expected fewer")
    if setup is None:
        assert seed is not None, "without a seed the setup is given"
        setup = game.setup(seed)
    states = [_initial(game, setup)]
    for player, action in actions or ():
        states.append(states[-1].apply_action(player, action))
    return Deal(setup, tuple(actions or ()), tuple(states))


@lru_cache(maxsize=4)  # the seatings of a block begin alike, and in some games all matches do
def _initial(game: Game, setup: str) -> State:
    return game.new_initial_state(setup)


def _next_seed(seed: int, number: int) -> int:
    """Return the seed of a deal that is made after ``number`` others, below 2^64."""
    if not number:
        return seed
    digest = hashlib.sha256(f"arena/1|next deal|{seed}|{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _random_opening(setup: str, initial: State, plies: int, seed: int) -> Deal | None:
    """Return an opening that leaves a game to play; ``None`` if none was found."""
    for counter in range(MAX_OPENINGS):
        digest = hashlib.sha256(f"arena/1|opening|{seed}|{counter}".encode()).digest()
        rng = random.Random(int.from_bytes(digest[:8], "big"))
        states = [initial]
        actions: list[tuple[int, str]] = []
        while len(actions) < plies and not states[-1].is_terminal():
            for player in states[-1].players_to_act():
                action = states[-1].sample_action(player, rng)
                actions.append((player, action))
                states.append(states[-1].apply_action(player, action))
        if not states[-1].is_terminal():
            return Deal(setup, tuple(actions), tuple(states))
    return None
