"""Random play comes to an end in every game, whatever its parameters."""

from __future__ import annotations

import random
import time

import pytest

import engines
from engines.core.conformance import variants

PLAYOUTS = 200
SECONDS = 60.0  # for each game, shared by its variants; each gets 200 playouts at least


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", engines.game_names())
def test_playouts_end(name: str) -> None:
    """Every one of a minute of playouts ends, of which each variant has two hundred at least."""
    games = [engines.load_game(text) for text in variants(name)]
    rng = random.Random(7)
    until = time.monotonic() + SECONDS
    for number in range(10**6):
        for game in games:
            state = game.new_initial_state(game.setup(number))
            returns = engines.playout(state, rng)
            assert len(returns) == game.num_players
            assert abs(sum(returns)) < 1e-9
        if number >= PLAYOUTS and time.monotonic() > until:
            return
