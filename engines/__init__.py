"""Rules of games as values: standard library only, and nothing of bots, clocks or files.

>>> import random, engines
>>> state = engines.load_game("leaves").new_initial_state()
>>> state.apply_action(0, "E3").observation(None)
'.#/.#/#a/.#/.# 1 9,10 2 *'
"""

from __future__ import annotations

from engines.core.errors import (
    BadParameter,
    BadSetup,
    EngineError,
    IllegalAction,
    NoView,
    UnknownGame,
)
from engines.core.interface import WATCHER, Event, Game, GameType, Parameter, State
from engines.core.registry import game_names, load_game
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random

__all__ = [
    "load_game",
    "game_names",
    "playout",
    "perft",
    "Game",
    "GameType",
    "State",
    "Event",
    "Parameter",
    "WATCHER",
    "EngineError",
    "IllegalAction",
    "BadSetup",
    "UnknownGame",
    "BadParameter",
    "NoView",
]


def playout(state: State, rng: random.Random) -> tuple[float, ...]:
    """Play uniformly random actions to the end and return the returns, one a player.

    >>> import random
    >>> playout(load_game("leaves").new_initial_state(), random.Random(1))
    (1.0, -1.0)
    """
    return state.random_playout(rng)


def perft(state: State, depth: int) -> int:
    """Count the action sequences of length exactly ``depth`` (0: one).

    A sequence that ends the game earlier counts nothing. At a simultaneous node the players act in
    index order, unseen by one another. The cost grows with the count itself.

    >>> perft(load_game("leaves").new_initial_state(), 2)
    560
    """
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    return state.count_sequences(depth)
