"""What a position looks worth, without a search: a random playout, a lead in points."""

from __future__ import annotations

import math
import random

import engines

__all__ = ["is_legal", "lead", "outcome"]


def outcome(state: engines.State, rng: random.Random) -> tuple[float, ...]:
    """Play at random to the end; 1 a win, 0 the last place; in a game for one, its points."""
    if state.game.num_players > 1:
        return tuple([(value + 1) / 2 for value in engines.playout(state, rng)])
    while state.players_to_act():
        state = state.apply_action(0, state.sample_action(0, rng))
    return tuple(map(float, state.scores()))


def lead(state: engines.State, player: int) -> float:
    """Return by how many points a player leads the best of the others.

    At the end it is infinite for one who did well, minus infinite for one who did badly.
    """
    scores = state.scores()
    others = [score for seat, score in enumerate(scores) if seat != player]
    if others and state.is_terminal():
        return math.inf * state.returns()[player] if state.returns()[player] else 0.0
    return scores[player] - max(others, default=0.0)


def is_legal(state: engines.State, player: int, action: str) -> bool:
    """Return whether an action is legal, without a list of all that are."""
    try:
        state.apply_action(player, action)
    except engines.IllegalAction:
        return False
    return True
