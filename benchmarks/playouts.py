"""Random playouts of every game, against a loop of plain Python that does next to nothing."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

import engines
from engines import State

SECONDS = 0.5


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield µs an action, through ``engines.playout`` and through the public calls one by one."""
    for name in engines.game_names():
        state = engines.load_game(name).new_initial_state()
        length = statistics.mean(_length(state, random.Random(seed)) for seed in range(30))
        yardstick = _yardstick()
        fast = _per_second(lambda rng, state=state: engines.playout(state, rng))
        slow = _per_second(lambda rng, state=state: _length(state, rng))
        told = "a draw and a list lookup in Python"
        yield f"{name}, engines.playout, an action", 1e6 / fast / length, "µs", told, yardstick
        yield f"{name}, sample and apply, an action", 1e6 / slow / length, "µs", told, yardstick


def _length(state: State, rng: random.Random) -> int:
    actions = 0
    while players := state.players_to_act():
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
        actions += 1
    return actions


def _per_second(once: object) -> float:
    assert callable(once)
    rng = random.Random(1)
    count = 0
    begin = time.process_time()
    while (elapsed := time.process_time() - begin) < SECONDS:
        once(rng)
        count += 1
    return count / elapsed


def _yardstick() -> float:
    rng = random.Random(1)
    items = list(range(16))
    begin = time.process_time()
    for _ in range(200_000):
        items[rng.getrandbits(4)]
    return (time.process_time() - begin) / 200_000 * 1e6
