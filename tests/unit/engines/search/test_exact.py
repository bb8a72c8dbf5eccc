"""Positions solved to the end, compared with every action followed without a shortcut."""

from __future__ import annotations

import random

import pytest

import engines
from engines.search import Solver

ALL = 10**6  # positions: no budget
PLAIN = 1500  # positions with a choice that are followed without a shortcut


class TooMany(Exception):
    """The rest of the game is too large to be followed so."""


def minimax(state: engines.State, left: list[int]) -> float:
    """Return what a position brings player 0; ``left`` counts down."""
    players = state.players_to_act()
    left[0] -= 1
    if left[0] < 0 or len(players) > 1:
        raise TooMany
    if not players:
        return worth(state)
    actions = state.legal_actions(players[0])
    values = [minimax(state.apply_action(players[0], action), left) for action in actions]
    return min(values) if players[0] else max(values)


def worth(state: engines.State) -> float:
    """Return what the end of a game brings player 0."""
    return state.scores()[0] if state.game.num_players == 1 else (state.returns()[0] + 1) / 2


def played(game: str, seed: int) -> list[engines.State]:
    """Return the positions of a random game that is long, the last one first."""
    rng, rules = random.Random(seed), engines.load_game(game)
    states = [rules.new_initial_state(rules.setup(seed))]
    while players := states[-1].players_to_act():
        drawn = [states[-1].sample_action(players[0], rng) for _ in range(8)]
        after = [states[-1].apply_action(players[0], action) for action in drawn]
        states.append(min(after, key=engines.State.is_terminal))
    return states[::-1]


@pytest.mark.parametrize(
    "game",
    [
        "connect_four",
        "leaves",
        "treeblox",
        "build_your_arboretum",
        "the_tree(hand=18)",
        "the_tree(players=1,hand=36)",
    ],
)
def test_it_finds_what_every_action_brings(game: str) -> None:
    """The values, the best action, and a line of legal actions that ends in the best result."""
    compared = 0
    for seed in range(2):
        solver = Solver(engines.load_game(game))
        for state in played(game, seed)[1:6]:
            (player,) = state.players_to_act()
            actions = state.legal_actions(player)
            left = [PLAIN]
            try:
                brings = {a: minimax(state.apply_action(player, a), left) for a in actions}
            except TooMany:
                break
            if player:
                brings = {action: 1 - value for action, value in brings.items()}
            proof = solver.prove(state, actions[-1], ALL)
            assert proof is not None
            assert proof.complete
            assert proof.value == brings[actions[-1]]
            assert proof.best_value == max(brings.values())
            assert brings[proof.best or actions[-1]] == proof.best_value
            assert solver.values(state, actions[:2], ALL) == [*brings.values()][:2]
            line = solver.line(state, proof.best or actions[-1], ALL)
            for who, action in line.actions:
                assert state.players_to_act() == (who,)
                state = state.apply_action(who, action)
            assert state.is_terminal()
            assert worth(state) == line.value
            assert (1 - worth(state) if player else worth(state)) == proof.best_value
            compared += 1
    assert compared
