"""Every game keeps the promises of the interface, in every variant worth a check."""

from __future__ import annotations

import random

import pytest
from support.own_games import own_games

import engines
from engines.core.conformance import check_game, variants


def _all_variants() -> list[object]:
    """Return the texts of all variants, eleven of twelve for the nightly campaigns."""
    found: list[object] = []
    for name in own_games():
        try:
            tried = [*variants(name)]
        except Exception:  # a game that cannot even be loaded fails as a test, not as a collection
            tried = [name]
        found += [
            pytest.param(text, marks=pytest.mark.nightly if number % 12 else pytest.mark.slow)
            for number, text in enumerate(tried)
        ]
    return found


@pytest.mark.parametrize("text", _all_variants())
def test_game_keeps_its_promises(text: str) -> None:
    """A random game of this variant meets no broken promise."""
    check_game(text, seeds=(1,))


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("name", ["pebbles", "auction", "draws"])
def test_small_game_keeps_its_promises(name: str) -> None:
    """The games that tests are made with are games."""
    for text in variants(name):
        check_game(text, seeds=(1,))


# random play comes to an end in every game, whatever its parameters


@pytest.mark.parametrize(
    "playouts",
    [
        pytest.param(10, marks=pytest.mark.slow),
        pytest.param(1000, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
@pytest.mark.parametrize("name", own_games())
def test_playouts_end(name: str, playouts: int) -> None:
    """Every one of so many playouts of each variant ends, and what the players get adds up to 0."""
    rng = random.Random(7)
    for game in map(engines.load_game, variants(name)):
        for number in range(playouts):
            returns = engines.playout(game.new_initial_state(game.setup(number)), rng)
            assert len(returns) == game.num_players
            assert abs(sum(returns)) < 1e-9
