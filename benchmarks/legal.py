"""Listing the legal actions of Arborius in random play, against what a list may take."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import engines
from engines import Game

GAMES = 200  # random games with the starter deck, in which every ability occurs
FEWER = 20  # with each of the other decks
MEDIAN_MS = 2.0
P99_MS = 50.0


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield the median and the 99th percentile of a call of ``legal_actions``, in ms."""
    for deck in engines.load_game("arborius").decks():
        game = engines.load_game(f"arborius(deck={deck})")
        games = GAMES if str(game) == "arborius" else FEWER
        times = sorted(ms for seed in range(games) for ms in _listings(game, seed))
        what = f"{game}, {len(times)} lists"
        yield f"{what}, median", times[len(times) // 2], "ms", "what it may take", MEDIAN_MS
        yield f"{what}, p99", times[len(times) * 99 // 100], "ms", "what it may take", P99_MS


def _listings(game: Game, seed: int) -> Iterator[float]:
    """Play a random game; yield the milliseconds that each list of legal actions took."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while players := state.players_to_act():
        begin = time.process_time()
        legal = state.legal_actions(players[0])
        yield (time.process_time() - begin) * 1e3
        state = state.apply_action(players[0], rng.choice(legal))
