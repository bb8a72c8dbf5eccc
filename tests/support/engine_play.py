"""States of games in tests: what is legal, played, refused and told, by whoever is to act."""

from __future__ import annotations

import pytest

from engines import IllegalAction, State


def legal(state: State, prefix: str = "") -> list[str]:
    """Return the legal actions of the one player who is to act, those that begin so."""
    (player,) = state.players_to_act()
    return [action for action in state.legal_actions(player) if action.startswith(prefix)]


def play(state: State, *actions: str) -> State:
    """Play actions, each by the one player who is to act."""
    for action in actions:
        (player,) = state.players_to_act()
        state = state.apply_action(player, action)
    return state


def reason(state: State, action: str) -> str:
    """Return why an action of the one player who is to act is refused."""
    (player,) = state.players_to_act()
    with pytest.raises(IllegalAction) as caught:
        state.apply_action(player, action)
    return str(caught.value)
