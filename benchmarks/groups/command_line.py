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
    file, home = shop.tournament(rounds=20), shop.path("home")
    run_quietly([*arena_words("run", str(file)), "--home", str(home)])
    board = arena_words("--home", str(home), "leaderboard")
    for name, command, needed in (
        ("help", arena_words("--help"), "import click"),
        ("leaderboard", board, "import click, sqlite3"),
    ):
        bare = python("-I", "-c", needed)
        rounds = sizes.pick(15, 5)
        measured = side_by_side(rounds, partial(exit_ms, command), partial(exit_ms, bare))
        yield Measured(name, *measured)
