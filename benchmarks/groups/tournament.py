"""Tournaments as people run them: the default one, and one of a single pairing, start to exit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.machine.cores import whole_cores
from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop, arena_words
from benchmarks.yardsticks import exit_ms, python

__all__ = ["ROWS", "measure"]

ROWS = ("default-tournament", "one-match")
DEFAULT = Path(__file__).parents[2] / "tournaments" / "leaves.yaml"
ONE = """\
name: one
game: leaves
seed: 2026
bots: [random, random@1]
opening: {plies: 2}
"""


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield ms a match with the usual workers, and ms from start to exit."""

    def match_ms() -> float:
        played = shop.play(DEFAULT, workers=whole_cores())
        return played.seconds / played.matches * 1e3

    values, starts = side_by_side(
        sizes.pick(3, 1), match_ms, lambda: 2 * exit_ms(python("-c", "pass"))
    )
    yield Measured("default-tournament", values, starts)
    file = shop.path("one.yaml")
    file.write_text(ONE)

    def run_ms() -> float:
        return exit_ms([*arena_words("run", str(file)), "--home", str(shop.path("home"))])

    values, starts = side_by_side(
        sizes.pick(7, 2), run_ms, lambda: exit_ms(python("-I", "-S", "-c", "pass"))
    )
    yield Measured("one-match", values, starts)
