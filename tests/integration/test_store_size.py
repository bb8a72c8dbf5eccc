"""How much of the disk a match takes, indexes included; a size is no time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.arena_command import ROOT

from arena.store import Store, open_store

MATCHES = 100
LEAST_DECISIONS = 20  # of a match, in the mean: 21.5 if both sides play at random
MOST_BYTES = 1_000
TOURNAMENT = f"""\
name: sizes
game: connect_four
rounds: {MATCHES // 2}
seed: 2026
processes: reuse
sandbox: none
bots: [random, {{name: other, bot: random}}]
"""


def size_of(store: Store) -> int:
    """Return the size of a store's file, without what is free in it."""
    store.shrink()
    return store.path.stat().st_size


def test_a_match_takes_less_than_a_kilobyte(tmp_path: Path) -> None:
    """Connect Four, some 21 decisions: what a tournament's removal gives back, match by match."""
    (tmp_path / "sizes.yaml").write_text(TOURNAMENT)
    plugins = str(ROOT / "benchmarks" / "plugins")
    subprocess.run(
        [sys.executable, "-m", "arena", "--home", str(tmp_path), "run", tmp_path / "sizes.yaml"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), plugins))},
        check=True,
        capture_output=True,
    )
    with open_store(tmp_path, create=True) as store:
        rows = list(store.matches.list())
        assert len(rows) == MATCHES
        assert sum(row.decisions for row in rows) >= LEAST_DECISIONS * MATCHES
        whole = size_of(store)
        removal = store.removal(rows[0].edition)
        while removal.step():
            pass
        removal.end()
        assert (whole - size_of(store)) / MATCHES <= MOST_BYTES
