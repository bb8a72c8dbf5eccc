"""Random playouts of the five games, the list loop of referees and bots, and lines to bots."""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Iterator
from functools import partial

import engines
from benchmarks.game import connect_four
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop
from engines import Game, State

__all__ = ["GAMES", "ROWS", "measure"]

GAMES = ("leaves", "treeblox", "the_tree", "build_your_arboretum", "arborius")
ROWS = (
    *(f"playout-{game}" for game in GAMES),
    *(f"list-{game}" for game in GAMES),
    *(f"ask-{game}" for game in GAMES),
    *(f"chess-{game}" for game in GAMES),
    *(f"words-{game}" for game in GAMES),
    "legal-arborius-median", "legal-arborius-p99",
)  # fmt: skip
LENGTHS = 30  # games whose mean length is taken for that of all
PLIES = 200  # of a random game of chess
P99 = 99
WARM_SECONDS = 0.05


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield µs an action, and of a list of Arborius the ms."""
    rounds, seconds = sizes.pick(5, 1), sizes.pick(250, 100) / 1000
    four = connect_four()
    chess = _chess_us if _has_chess() else None
    for name in GAMES:
        game = engines.load_game(name)
        for each in (game, four):  # what an engine keeps is made once
            _list_us(each, WARM_SECONDS)
        ours = partial(_playout_us, game, _mean_length(game), seconds)
        yardstick = partial(_playout_us, four, _mean_length(four), seconds)
        playouts = side_by_side(rounds, ours, yardstick)
        yield Measured(f"playout-{name}", *playouts)
        loops = side_by_side(
            rounds, partial(_list_us, game, seconds), partial(_list_us, four, seconds)
        )
        yield Measured(f"list-{name}", *loops)
        asked = side_by_side(
            rounds, partial(_ask_us, game, seconds), partial(_ask_us, four, seconds)
        )
        yield Measured(f"ask-{name}", *asked)
        words = side_by_side(
            rounds, partial(_words_us, game, seconds), partial(_list_us, game, seconds, False)
        )
        yield Measured(f"words-{name}", *words)
        rates = tuple(1e6 / us for us in playouts[0])
        if chess is None:
            yield Measured(
                f"chess-{name}", rates, (), "no peer: the package chess is not installed"
            )
        else:
            peers = tuple(1e6 / chess(seconds) for _ in range(rounds))
            yield Measured(f"chess-{name}", rates, peers)
    yield from _lists_of_arborius(sizes)


def _mean_length(game: Game) -> float:
    """Return how many actions a random game has."""
    actions = 0
    for seed in range(LENGTHS):
        rng, state = random.Random(seed), game.new_initial_state(game.setup(seed))
        while players := state.players_to_act():
            state = state.apply_action(players[0], state.sample_action(players[0], rng))
            actions += 1
    return actions / LENGTHS


def _playout_us(game: Game, length: float, seconds: float) -> float:
    """Return the µs of an action of ``engines.playout``."""
    rng, count = random.Random(1), 0
    state = game.new_initial_state(game.setup(1))
    begin = time.process_time()
    while (elapsed := time.process_time() - begin) < seconds:
        engines.playout(state, rng)
        count += 1
    return elapsed / count / length * 1e6


def _list_us(game: Game, seconds: float, choose: bool = True) -> float:
    """Return the µs of an action by ``legal_actions``, a choice and ``apply_action``.

    Args:
        game: what is played, to the end again and again.
        seconds: of CPU time, as long as there is no end of a game after it.
        choose: the choice and the look for who is next are measured as well.
    """
    total = actions = seed = 0
    clock = time.process_time_ns
    while total < seconds * 1e9:
        rng, state = random.Random(seed), game.new_initial_state(game.setup(seed))
        seed += 1
        begin = clock()
        outside = 0
        while players := state.players_to_act():
            player = players[0]
            legal = state.legal_actions(player)
            before = 0 if choose else clock()
            action = legal[int(rng.random() * len(legal))]
            if not choose:
                outside += clock() - before
            state = state.apply_action(player, action)
            actions += 1
        total += clock() - begin - outside
    return total / actions / 1e3


def _ask_us(game: Game, seconds: float) -> float:
    """Return the µs of what the referee asks of a position: count, list and observation."""
    total = positions = seed = 0
    clock = time.process_time_ns
    while total < seconds * 1e9:
        rng, state = random.Random(seed), game.new_initial_state(game.setup(seed))
        seed += 1
        while players := state.players_to_act():
            player = players[0]
            begin = clock()
            state.count_legal(player)
            legal = state.legal_actions(player)
            state.observation(player)
            total += clock() - begin
            positions += 1
            state = state.apply_action(player, legal[int(rng.random() * len(legal))])
    return total / positions / 1e3


def _words_us(game: Game, seconds: float) -> float:
    """Return the µs of what a bot is sent of a position: its observation and the legal actions."""
    total = positions = seed = 0
    clock = time.process_time_ns
    while total < seconds * 1e9:
        rng, state = random.Random(seed), game.new_initial_state(game.setup(seed))
        seed += 1
        while players := state.players_to_act():
            legal = state.legal_actions(players[0])
            begin = clock()
            f"obs {state.observation(players[0])}\nlegal {' '.join(legal)}\n".encode()
            total += clock() - begin
            positions += 1
            state = state.apply_action(players[0], legal[int(rng.random() * len(legal))])
    return total / positions / 1e3


def _lists_of_arborius(sizes: Sizes) -> Iterator[Measured]:
    """Yield the ms of a call of ``legal_actions`` in random games: the median and the p99."""
    games = sizes.pick(40, 5)
    middles, ends = [], []
    for first in range(0, 5 * games, games):
        times = sorted(
            ms for seed in range(first, first + games) for ms in _listings("arborius", seed)
        )
        middles.append(times[len(times) // 2])
        ends.append(times[len(times) * P99 // 100])
    yield Measured("legal-arborius-median", tuple(middles))
    yield Measured("legal-arborius-p99", tuple(ends))


def _listings(name: str, seed: int) -> Iterator[float]:
    rng = random.Random(seed)
    state: State = engines.load_game(name).new_initial_state()
    while players := state.players_to_act():
        begin = time.process_time()
        legal = state.legal_actions(players[0])
        yield (time.process_time() - begin) * 1e3
        state = state.apply_action(players[0], rng.choice(legal))


def _has_chess() -> bool:
    try:
        importlib.import_module("chess")
    except ImportError:
        return False
    return True


def _chess_us(seconds: float) -> float:
    """Return the µs of a random move with python-chess: the list, a choice, the push."""
    chess = importlib.import_module("chess")
    rng, moves = random.Random(1), 0
    begin = time.process_time()
    while (elapsed := time.process_time() - begin) < seconds:
        board = chess.Board()
        for _ in range(PLIES):
            legal = list(board.legal_moves)
            if not legal:
                break
            board.push(rng.choice(legal))
            moves += 1
    return elapsed / moves * 1e6
