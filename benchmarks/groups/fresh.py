"""Connect Four end to end with instant C bots that are started for every match."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Measured, Sizes
from benchmarks.peers import NO_PEER, cutechess, fastchess, has
from benchmarks.workshop import Workshop

__all__ = ["ROWS", "measure"]

ROWS = ("fresh-workers", "fresh-cutechess", "fresh-fastchess")


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield games a second with one worker and with two, and the peers'."""
    ones: list[float] = []
    twos: list[float] = []
    cute: list[float] = []
    fast: list[float] = []
    for _ in range(sizes.pick(3, 1)):
        for workers, rates in ((1, ones), (2, twos)):
            file = shop.tournament(rounds=sizes.pick(200, 30), processes="fresh")
            rates.append(shop.play(file, workers=workers).per_second)
        if has("CUTECHESS"):
            cute.append(cutechess(shop, sizes.pick(200, 40), restart=True).games)
        if has("FASTCHESS"):  # which takes 0.15 s a game
            fast.append(fastchess(shop, sizes.pick(40, 10), restart=True).games)
    games = tuple(twos)
    yield Measured("fresh-workers", games, tuple(ones))
    for name, peer, found in (
        ("fresh-cutechess", "CUTECHESS", cute),
        ("fresh-fastchess", "FASTCHESS", fast),
    ):
        yield Measured(name, games, tuple(found), "" if has(peer) else NO_PEER.format(peer))
