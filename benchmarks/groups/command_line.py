"""Start-up of the command line, against an interpreter that imports what it cannot do without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.measuring import Measured, Sizes, side_by_side
from benchmarks.workshop import Workshop, arena_words, run_quietly
from benchmarks.yardsticks import exit_ms, python

__all__ = ["ROWS", "measure"]

ROWS = ("help", "leaderboard")


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield ms from start to exit."""
    rounds = sizes.pick(15, 5)
    bare = partial(exit_ms, python("-I", "-c", "import click"))
    ours = partial(exit_ms, arena_words("--help"))
    yield Measured("help", *side_by_side(rounds, ours, bare))
    file, home = shop.tournament(rounds=20), shop.path("home")
    run_quietly([*arena_words("run", str(file)), "--home", str(home)])
    bare = partial(exit_ms, python("-I", "-c", "import click, sqlite3"))
    ours = partial(exit_ms, arena_words("--home", str(home), "leaderboard"))
    yield Measured("leaderboard", *side_by_side(rounds, ours, bare))
