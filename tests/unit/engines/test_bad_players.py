"""Players that a game has not or that owe nothing, actions that are no texts: refused alike."""

from __future__ import annotations

import random
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
def test_no_action_is_drawn_for_a_player_who_owes_none(name: str) -> None:
    """At the start of each game one of two players decides; the other one owes nothing."""
    state = begun(name)
    (acting,) = state.players_to_act()
    with pytest.raises(IllegalAction):
        state.sample_action(1 - acting, random.Random(1))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("action", [None, 5, b"pass", ["pass"]])
def test_an_action_is_a_text(name: str, action: Any) -> None:
    """Whatever else is handed over is an illegal action."""
    state = begun(name)
    (acting,) = state.players_to_act()
    with pytest.raises(IllegalAction, match="text"):
        state.apply_action(acting, action)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("player", [2, -1, 9, True, "0"])
def test_a_player_is_a_seat(name: str, player: Any) -> None:
    """Nobody else can be dropped or look."""
    state = begun(name)
    for ask in (state.drop_player, state.observation):
        with pytest.raises(ValueError, match="there is no player"):
            ask(player)
