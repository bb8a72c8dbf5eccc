"""Folding ratings and the order-free fit, against the ``trueskill`` package doing the same."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial

from arena.ratings.block_counts import fold_blocks
from arena.ratings.fold import fold
from arena.ratings.likelihoods import make_table
from arena.ratings.trueskill import rate
from arena.values.tables import MatchRow, Rating
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop

__all__ = ["ROWS", "measure"]

ROWS = ("fold-2", "fold-4", "order-free")
RATED = 1_000  # by the package, which takes a hundred times as long
BOTS = 20


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield µs of CPU a match."""
    rounds, count = sizes.pick(5, 3), sizes.pick(100_000, 20_000)
    note = "" if count == 100_000 else f"{count:,} matches"
    for players in (2, 4):
        results = list(_results(players, count))
        measured = side_by_side(rounds, partial(_fold_us, results), partial(_package_us, results))
        yield Measured(f"fold-{players}", *measured, note)
    pairs = list(_results(2, RATED))
    free = side_by_side(rounds, partial(_fit_us, count), partial(_package_us, pairs))
    yield Measured("order-free", *free, note)


def _fold_us(results: list[MatchRow]) -> float:
    begin = time.process_time()
    fold(results)
    return (time.process_time() - begin) / len(results) * 1e6


def _package_us(results: list[MatchRow]) -> float:
    begin = time.process_time()
    for _, seats, ranks, *_ in results[:RATED]:
        rate([Rating()] * len(seats), ranks)
    return (time.process_time() - begin) / RATED * 1e6


def _fit_us(count: int) -> float:
    blocks = list(_blocks(count))
    begin = time.process_time()
    make_table(fold_blocks(blocks).counts)
    return (time.process_time() - begin) / count * 1e6


def _results(players: int, count: int) -> Iterator[MatchRow]:
    rng = random.Random(1)
    names = [f"bot{i}" for i in range(BOTS)]
    for number in range(count):
        seats = tuple(rng.sample(names, players))
        ranks = tuple(range(1, players + 1)) if rng.random() < 0.9 else (1,) * players
        yield MatchRow((1, number), seats, ranks, (), (10,) * players, (1000,) * players)


def _blocks(count: int) -> Iterator[MatchRow]:
    rng = random.Random(2)
    names = [f"bot{i:02}" for i in range(BOTS)]
    for number in range(0, count, 2):
        one, other = sorted(rng.sample(names, 2))
        for seating, seats in enumerate(((one, other), (other, one))):
            ranks = rng.choice([(1, 2), (1, 2), (2, 1), (1, 1)])
            play = rng.getrandbits(62)
            yield MatchRow(
                (1, number + seating), seats, ranks, block=f"leaves|{number}", moves_hash=play
            )
