"""How long the pages of a large tournament take, and how large the first one is."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Measured, Sizes
from benchmarks.stores import filled_home
from benchmarks.workshop import Workshop, arena_words
from benchmarks.yardsticks import exit_ms

__all__ = ["ROWS", "measure"]

ROWS = ("report", "report-index")


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield s of `arena report`, start to exit, and MB of its first page."""
    home, _ = filled_home(shop, 1, bots=sizes.pick(400, 20))
    seconds, note = [], f"{sizes.pick(400, 20)} bots"
    exit_ms(arena_words("--home", str(home), "leaderboard"))  # whose first look is P19
    for _ in range(sizes.pick(3, 1)):
        folder = shop.path("report")
        words = arena_words("--home", str(home), "report", "filled", "-o", str(folder))
        seconds.append(exit_ms(words) / 1e3)
    yield Measured("report", tuple(seconds), (), note)
    yield Measured("report-index", ((folder / "index.html").stat().st_size / 1e6,), (), note)
