"""What must hold of random playouts: they end, and their results have the right shares."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from engines.core.chance import pick
from engines.core.conformance.report import claim, equal, listed, note_on_error, often
from engines.core.interface import State

LENGTH = 10_000  # actions of a game whose type states no bound

_TREE = 1500  # nodes of a game's end that are walked through for its exact returns
_DEPTH = 100  # actions of a game that is small
_PLAYOUTS = 200  # playouts compared with them


def check_end(state: State, played: int, most: int | None, rng: random.Random) -> int:
    """Play random actions to the end: the length of the game; it may not go on for ever.

    Args:
        state: the position to go on from.
        played: the actions before it.
        most: the bound given by the caller; ``None`` for the type's, or ``LENGTH``.
        rng: draws the actions.
    """
    bound = most or state.game.type.max_game_length or LENGTH
    while players := state.players_to_act():
        sentence = f"a game has {played} actions and goes on"
        claim(played < bound, sentence, f"an end after at most {bound} actions", "none")
        player = players[0]
        state, played = state.apply_action(player, state.sample_action(player, rng)), played + 1
    return played


def check_playouts(states: Sequence[State], rng: random.Random) -> None:
    """Check playouts of a game's states: fair shape anywhere, exact shares near the end."""
    for state in (states[0], pick(rng, states), states[-1]):
        before, seed = state.observation(None), rng.getrandbits(32)
        first = state.random_playout(random.Random(seed))
        equal(state.random_playout(random.Random(seed)), first, "a seeded playout varies")
        equal(state.observation(None), before, "a playout changed the state")
        equal(len(first), state.game.num_players, "a playout returns one number a player")
        claim(abs(sum(first)) < 1e-9, f"returns add up to 0, unlike {first}", "a sum of 0", first)
    if states[-1].is_terminal():
        last = states[-1]
        equal(last.random_playout(rng), last.returns(), "the playout of an ended game differs")
    for state in states[-2:-5:-1]:
        exact = _shares(state, [_TREE])
        if exact is None:
            break
        with note_on_error(f"at {state.observation(None)}"):
            _check_shares(state, exact, rng)


def _check_shares(
    state: State, exact: dict[tuple[float, ...], Fraction], rng: random.Random
) -> None:
    played = [state.random_playout(rng) for _ in range(_PLAYOUTS)]
    strange = [returns for returns in played if returns not in exact]
    claim(not strange, "a playout returns what is not possible", f"some of {[*exact]}", strange)
    often(played, exact.items(), "playouts return")


def _shares(
    state: State, budget: list[int], depth: int = _DEPTH
) -> dict[tuple[float, ...], Fraction] | None:
    """Return how likely each returns is under uniform play, exactly, if the tree is small."""
    budget[0] -= 1
    players = state.players_to_act()
    if not players:
        return {state.returns(): Fraction(1)}
    actions = listed(state, players[0])
    if actions is None or len(actions) > budget[0] or not depth:
        return None
    total: dict[tuple[float, ...], Fraction] = {}
    for action in actions:
        shares = _shares(state.apply_action(players[0], action), budget, depth - 1)
        if shares is None:
            return None
        for returns, share in shares.items():
            total[returns] = total.get(returns, Fraction(0)) + share / len(actions)
    return total
