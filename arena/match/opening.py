"""Where a match begins: its setup, its opening, and the position the bots first decide in."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

from arena.model import MatchJob
from engines import Game, State

__all__ = ["Deal", "NoOpening", "deal", "random_opening"]

MAX_OPENINGS = 200  # tries at an opening that does not end the game


class NoOpening(Exception):
    """No opening of so many plies leaves a game to play."""


class Deal(NamedTuple):
    """A setup, the opening's actions, and every state from the setup's to the first decision."""

    setup: str
    opening: tuple[tuple[int, str], ...]
    states: tuple[State, ...]


def deal(job: MatchJob, game: Game) -> Deal:
    """Lay out a match: as its job says, or from its seed and opening rule."""
    setup = game.setup(_seed(job)) if job.setup is None else job.setup
    initial = game.new_initial_state(setup)
    if job.opening_actions is not None:
        given = [initial]
        for player, action in job.opening_actions:
            given.append(given[-1].apply_action(player, action))
        return Deal(setup, job.opening_actions, tuple(given))
    if job.opening.plies == 0:
        return Deal(setup, (), (initial,))
    actions, states = random_opening(initial, job.opening.plies, _seed(job))
    return Deal(setup, actions, states)


def random_opening(
    initial: State, plies: int, seed: int
) -> tuple[tuple[tuple[int, str], ...], tuple[State, ...]]:
    """Play random plies, whole simultaneous nodes; an opening that ends the game is not used.

    Returns:
        The actions, and every state from ``initial`` on.

    Raises:
        NoOpening: many were tried, and all ended the game.
    """
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
            return tuple(actions), tuple(states)
    raise NoOpening(f"no random opening of {plies} plies leaves a game to play")


def _seed(job: MatchJob) -> int:
    assert job.seed is not None, "without a seed the setup and the opening's actions are given"
    return job.seed
