"""``python -m benchmarks many-cores``: what 1, 2, 4 … all cores of this machine get done.

A game of sixty decisions with bots that are kept, matches of Python bots that are started for each,
and the first once more on a cluster of this machine; fastchess beside them, where ``FASTCHESS``
names its binary. Each figure is of one run; read how they grow.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.machine.cores import whole_cores
from arena.report.table import plain_table
from benchmarks.measuring import Missing
from benchmarks.peers import fastchess, has
from benchmarks.results import circumstances
from benchmarks.workshop import SIXTY, Workshop, workshop

__all__ = ["main"]

COLUMNS = ("cores", "moves/s", "fresh Python matches/s", "local:N moves/s", "fastchess moves/s")
FRESH = """\
name: fresh
game: connect_four
rounds: {rounds}
seed: 2026
bots: [random, {{name: other, bot: random}}]
"""


def main(words: Sequence[str]) -> None:
    """Measure, and print a row for each number of cores."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks many-cores", description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="of the long game, for each core")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    options = parser.parse_args(words)
    rows = []
    with workshop() as shop:
        for cores in _numbers(whole_cores()):
            rows.append(_row(shop, cores, options.rounds))
            print(f"{cores} of {whole_cores()} cores are measured", file=sys.stderr, flush=True)
    print(plain_table(list(COLUMNS), [list(row.values()) for row in rows]), end="")
    if options.json:
        found = {**circumstances(quick=False), "rows": rows}
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


def _numbers(cores: int) -> Iterator[int]:
    """Yield 1, 2, 4 … and all cores."""
    number = 1
    while number < cores:
        yield number
        number *= 2
    yield cores


def _row(shop: Workshop, cores: int, rounds: int) -> dict[str, str]:
    """Return what so many cores get done a second."""
    kept = shop.play(shop.tournament(rounds=rounds * cores, game=SIXTY), workers=cores)
    file = shop.path("fresh.yaml")
    file.write_text(FRESH.format(rounds=10 * cores), encoding="utf-8")
    fresh = shop.play(file, workers=cores)
    values = [f"{cores}", f"{kept.per_second * kept.decisions:,.0f}", f"{fresh.per_second:.2f}"]
    try:
        there = shop.play(
            shop.tournament(rounds=rounds * cores, game=SIXTY), cluster=f"local:{cores}"
        )
        values.append(f"{there.per_second * there.decisions:,.0f}")
    except Missing:  # the extra `cluster` is not installed
        values.append("-")
    peer = has("FASTCHESS")
    values.append(f"{fastchess(shop, rounds * cores, at_once=cores).moves:,.0f}" if peer else "-")
    return dict(zip(COLUMNS, values, strict=True))
