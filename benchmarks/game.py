"""The benchmarks' game in this process, and what a decision of it takes without the arena."""

from __future__ import annotations

import random
import time

from benchmarks.workshop import GAME
from engines import Game, load_game

__all__ = ["connect_four", "engine_decision_us"]

MATCHES = 300


def connect_four() -> Game:
    """Return the benchmarks' game, in this process."""
    return load_game(GAME)


def engine_decision_us(matches: int = MATCHES) -> float:
    """Return the µs that a decision takes in the engine alone: ask, list, apply."""
    game, rng = connect_four(), random.Random(1)
    decisions = 0
    begin = time.process_time()
    for _ in range(matches):
        state = game.new_initial_state()
        while players := state.players_to_act():
            legal = state.legal_actions(players[0])
            state = state.apply_action(players[0], legal[int(rng.random() * len(legal))])
            decisions += 1
    return (time.process_time() - begin) / decisions * 1e6
