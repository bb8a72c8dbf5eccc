"""Starting the command line, against a bare interpreter that imports click."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

RUNS = 9


def measure() -> Iterator[tuple[str, float, str, str, float]]:
    """Yield ms from start to exit."""
    commands = {
        "arena --help": [sys.executable, "-m", "arena", "--help"],
        "arena games": [sys.executable, "-m", "arena", "games"],
    }
    click = [sys.executable, "-c", "import click"]
    for name, command in commands.items():
        pairs = [(_time(command), _time(click)) for _ in range(RUNS)]
        ours = statistics.median(a for a, _ in pairs)
        bare = statistics.median(b for _, b in pairs)
        yield name, ours, "ms", 'python -c "import click"', bare


def _time(command: Sequence[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1e3
