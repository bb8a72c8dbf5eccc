"""States of games in tests: what is legal, played, refused and told, by whoever is to act."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

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


def at_random(state: State, rng: random.Random, most: int | None = None) -> Iterator[State]:
    """Yield a position and those that random actions lead to: so many, or up to the end."""
    for _ in itertools.count() if most is None else range(most):
        yield state
        if not (players := state.players_to_act()):
            return
        state = state.apply_action(players[0], state.sample_action(players[0], rng))


def reason(state: State, action: str) -> str:
    """Return why an action of the one player who is to act is refused."""
    (player,) = state.players_to_act()
    with pytest.raises(IllegalAction) as caught:
        state.apply_action(player, action)
    return str(caught.value)
