"""What a match costs among a hundred bots and among a thousand that are kept, against two."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Measured, Sizes, alternate
from benchmarks.workshop import Workshop

__all__ = ["ROWS", "measure"]

ROWS = ("bots-100", "bots-1000")
ROUNDS = 10_000  # more than is played: all runs are ended in the middle


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield µs a match, with two workers."""

    def match_us(bots: int, matches: int) -> float:
        file = shop.tournament(bots, rounds=1 if bots > 100 else ROUNDS)
        played = shop.play(file, workers=2, stop=matches)
        return played.seconds / played.matches * 1e6

    hundred, thousand, two = alternate(
        sizes.pick(3, 1),
        lambda: match_us(100, sizes.pick(6000, 400)),
        lambda: match_us(1000, sizes.pick(20_000, 600)),
        lambda: match_us(2, sizes.pick(3000, 300)),
    )
    for name, values in zip(ROWS, (hundred, thousand), strict=True):
        yield Measured(name, values, two)
