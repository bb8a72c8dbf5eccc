"""The files ``tests/perft/*.perft``, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "perft"


class Row(NamedTuple):
    """So many sequences of this length begin at this position."""

    game: str
    setup: str | None
    depth: int
    sequences: int


def read_rows(text: str) -> Iterator[Row]:
    """Yield the rows of a file: ``game | setup or - | depth count depth count …`` a line."""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        game, setup, numbers = line.split(" | ")
        depths, counts = numbers.split()[::2], numbers.split()[1::2]
        for depth, count in zip(depths, counts, strict=True):
            yield Row(game.strip(), None if setup == "-" else setup, int(depth), int(count))
