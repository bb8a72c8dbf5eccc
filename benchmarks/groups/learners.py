"""What learners and other libraries cost: functions as bots, and games of OpenSpiel."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import arena
import engines
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import GAME, Workshop
from engines import Game
from engines.core.registry import game_names

__all__ = ["ROWS", "measure"]

SPIEL = {"hex": {"board_size": 5}, "chess": {}, "kuhn_poker": {}}
ROWS = ("functions", *(f"openspiel-{name}" for name in SPIEL))


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield matches a second of functions, and µs a decision of OpenSpiel's games."""
    rounds, seconds = sizes.pick(5, 1), sizes.pick(1000, 200) / 1000
    functions = partial(_functions, shop, sizes.pick(2000, 100))
    yield Measured("functions", *side_by_side(rounds, functions, partial(_loop, seconds)))
    has_it = "openspiel" in game_names()
    for name, parameters in SPIEL.items():
        row = f"openspiel-{name}"
        if not has_it:
            yield Measured(row, (), (), "the extra openspiel is not installed")
            continue
        keys = "".join(f",{key}={value}" for key, value in parameters.items())
        game = engines.load_game(f"openspiel(game={name}{keys})")
        ours, theirs = partial(_ours_us, game, seconds), partial(_theirs_us, game, seconds)
        yield Measured(row, *side_by_side(rounds, ours, theirs))


def _first(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[0])


def _functions(shop: Workshop, matches: int) -> float:
    """Return how many matches a second two functions play, which take no time, with the store."""
    bots = [{"name": name, "function": _first, "version": "1"} for name in ("one", "other")]
    cup = arena.tournament(game=GAME, bots=bots, rounds=matches // 2, seed=1)
    begin = time.perf_counter()
    arena.run_tournament(cup, shop.path("home"))
    return matches / (time.perf_counter() - begin)


def _loop(seconds: float) -> float:
    """Return how many such matches a second a loop over ``engines`` plays."""
    game, count = engines.load_game(GAME), 0
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        state = game.new_initial_state(game.setup(count))
        while players := state.players_to_act():
            state = state.apply_action(players[0], state.legal_actions(players[0])[0])
        state.returns()
        count += 1
    return count / elapsed


def _ours_us(game: Game, seconds: float) -> float:
    """Return the µs of a decision in random games, by legal actions, choice and action."""
    rng, actions, seed = random.Random(1), 0, 0
    begin = time.process_time()
    while (elapsed := time.process_time() - begin) < seconds:
        state = game.new_initial_state(game.setup(seed))
        seed += 1
        while players := state.players_to_act():
            legal = state.legal_actions(players[0])
            state = state.apply_action(players[0], legal[int(rng.random() * len(legal))])
            actions += 1
    return elapsed / actions * 1e6


def _theirs_us(game: Any, seconds: float) -> float:
    """Return the µs of the same by OpenSpiel alone."""
    rng, actions = random.Random(1), 0
    begin = time.process_time()
    while (elapsed := time.process_time() - begin) < seconds:
        state = game.theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            actions += 1
    return elapsed / actions * 1e6
