"""``python -m benchmarks``: measure, print a table, and with ``--json FILE`` keep the numbers.

Machines are shared and noisy: read the ratios, each of two things measured side by side, and not
the times. Nothing here asserts.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks import command_line, legal, playouts, ratings, referee, start


class Row(NamedTuple):
    """One line: what was measured, its value, the yardstick's, and what the ratio means."""

    what: str
    value: float
    unit: str
    yardstick: str
    reference: float


Bench = Callable[[], Iterator[tuple[str, float, str, str, float]]]

BENCHES: dict[str, Bench] = {
    "referee": referee.measure,
    "playouts": playouts.measure,
    "legal": legal.measure,
    "ratings": ratings.measure,
    "start": start.measure,
    "cli": command_line.measure,
}


def main() -> None:
    """Run the benchmarks named, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], help="which; all if none")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    options = parser.parse_args()
    rows = []
    for name in options.names or BENCHES:
        for values in BENCHES[name]():
            row = Row(*values)
            rows.append(row)
            ratio = row.value / row.reference
            print(
                f"{row.what:<52} {row.value:10.2f} {row.unit:<9} "
                f"{ratio:8.3f} × {row.yardstick} ({row.reference:.2f})",
                flush=True,
            )
    if options.json:
        options.json.write_text(
            json.dumps({**_circumstances(), "rows": [row._asdict() for row in rows]}, indent=1)
        )


def _circumstances() -> dict[str, str]:
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {platform.processor() or platform.platform()}",
        "python": platform.python_version(),
        "commit": commit.stdout.strip(),
    }


if __name__ == "__main__":
    main()
