"""Players that a game has not, and actions that are no texts: refused alike in every game."""

from __future__ import annotations

from typing import Any

import pytest

import engines
from engines.core.errors import IllegalAction

GAMES = ["arborius", "build_your_arboretum", "leaves", "the_tree", "treeblox"]


def begun(name: str) -> engines.State:
    """Return a game of two at its beginning, where one of them decides."""
    game = engines.load_game(name)
    return game.new_initial_state(game.setup(1))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("action", [None, 5, b"pass", ["pass"]])
def test_action_that_is_no_text_is_illegal(name: str, action: Any) -> None:
    """An action of another type is an illegal action in every game."""
    state = begun(name)
    (acting,) = state.players_to_act()
    with pytest.raises(IllegalAction, match="text"):
        state.apply_action(acting, action)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", [2, -1, 9, True, "0"])
def test_player_that_is_no_seat_is_refused(name: str, player: Any) -> None:
    """A player whom a game does not have can neither be dropped nor have a view."""
    state = begun(name)
    for ask in (state.drop_player, state.observation):
        with pytest.raises(ValueError, match="there is no player"):
            ask(player)
