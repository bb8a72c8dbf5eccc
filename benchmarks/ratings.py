"""Folding ratings, against the ``trueskill`` package doing the same."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from arena.model import Rating
from arena.ratings.blocks import Played, fold_blocks
from arena.ratings.fit import make_table
from arena.ratings.fold import Result, fold
from arena.ratings.trueskill import rate

FOLDED = 100_000
RATED = 1_000


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield µs a match for two and for four players, and of an order-free table of 20 bots."""
    for players in (2, 4):
        results = list(_results(players, FOLDED))
        begin = time.process_time()
        fold(results)
        ours = (time.process_time() - begin) / FOLDED * 1e6
        begin = time.process_time()
        for _, _, ranks, *_ in results[:RATED]:
            rate([Rating()] * players, ranks)
        package = (time.process_time() - begin) / RATED * 1e6
        yield f"folding a match of {players}", ours, "µs", "the trueskill package", package
    begin = time.process_time()
    blocks = fold_blocks(_blocks(FOLDED))
    make_table(blocks.counts)
    ours = (time.process_time() - begin) / FOLDED * 1e6
    begin = time.process_time()
    for _, _, _, ranks, _ in _blocks(RATED):
        rate([Rating()] * 2, ranks)
    package = (time.process_time() - begin) / RATED * 1e6
    yield "an order-free table, a match", ours, "µs", "the trueskill package", package


def _results(players: int, count: int) -> Iterator[Result]:
    rng = random.Random(1)
    names = [f"bot{i}" for i in range(20)]
    for number in range(count):
        seats = tuple(rng.sample(names, players))
        ranks = tuple(range(1, players + 1)) if rng.random() < 0.9 else (1,) * players
        yield (1, number), seats, ranks, (), (10,) * players, (1000,) * players


def _blocks(count: int) -> Iterator[Played]:
    rng = random.Random(2)
    names = [f"bot{i:02}" for i in range(20)]
    for number in range(0, count, 2):
        one, other = sorted(rng.sample(names, 2))
        for seating, seats in enumerate(((one, other), (other, one))):
            ranks = rng.choice([(1, 2), (1, 2), (2, 1), (1, 1)])
            yield (1, number + seating), str(number), seats, ranks, rng.getrandbits(62)
