"""Where a match begins: its setup, its opening, and the position the bots first decide in."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

from arena.model import MatchJob
from engines import Game, State

__all__ = ["Deal", "deal"]

MAX_OPENINGS = 1000  # tries at an opening that does not end the game


class Deal(NamedTuple):
    """A setup, the opening's actions, and every state from the setup's to the first decision."""

    setup: str
    opening: tuple[tuple[int, str], ...]
    states: tuple[State, ...]


def deal(job: MatchJob, game: Game) -> Deal:
    """Lay out a match: as a reproduced one says, or from its seed and opening rule."""
    if job.setup is not None:
        setup = job.setup
    elif job.opening.setups:
        k = int(job.block.rpartition("|")[2])
        setup = job.opening.setups[k % len(job.opening.setups)]
    else:
        setup = game.setup(job.seed)
    initial = game.new_initial_state(setup)
    if job.opening_actions is not None:
        states = [initial]
        for player, action in job.opening_actions:
            states.append(states[-1].apply_action(player, action))
        return Deal(setup, job.opening_actions, tuple(states))
    if job.opening.plies == 0:
        return Deal(setup, (), (initial,))
    return _random_opening(setup, initial, job.opening.plies, job.seed)


def _random_opening(setup: str, initial: State, plies: int, seed: int) -> Deal:
    """Play random plies, whole simultaneous nodes; an opening that ends the game is not used."""
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
    raise ValueError(f"no opening of {plies} plies leaves a game to play")
