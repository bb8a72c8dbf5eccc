"""Random play comes to an end in every game, whatever its parameters."""

from __future__ import annotations

import random

import pytest

import engines
from engines.core.conformance import variants


@pytest.mark.parametrize(
    "playouts",
    [
        pytest.param(10, marks=pytest.mark.slow),
        pytest.param(1000, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
@pytest.mark.parametrize("name", engines.game_names())
def test_playouts_end(name: str, playouts: int) -> None:
    """Every one of so many playouts of each variant ends, and what the players get adds up to 0."""
    rng = random.Random(7)
    for game in map(engines.load_game, variants(name)):
        for number in range(playouts):
            returns = engines.playout(game.new_initial_state(game.setup(number)), rng)
            assert len(returns) == game.num_players
            assert abs(sum(returns)) < 1e-9
