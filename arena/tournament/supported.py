"""What a tournament file may ask for that this version can do.

The words of the file are fixed; not everything behind them exists everywhere. What cannot run is
refused before anything starts, never ignored. Formats are not listed: they are found by scanning
(``arena.schedule.formats``).
"""

from __future__ import annotations

from arena.machine.cores import whole_cores
from arena.values.errors import UsageError, near_miss

SANDBOXES = ("auto", "bwrap", "landlock", "limits", "none")

MAX_PLIES = 10_000
MAX_ELO = 1000.0
MIN_CHANCE, MAX_CHANCE = 1e-6, 0.49  # of each of the two errors of a test


def check_sandbox(level: str) -> str:
    """Return the level of isolation as it is; raises ``UsageError`` if there is none such."""
    if level not in SANDBOXES:
        raise UsageError(
            f'expected one of {", ".join(SANDBOXES)}, found "{level}"' + near_miss(level, SANDBOXES)
        )
    return level


def usual_workers(processes: str) -> int:
    """Return how many matches are played at a time where the file does not say it.

    Each core has one; where ``processes`` are kept from match to match, bots leave their cores no
    rest, and one core stays for the runner, if there are several.
    """
    cores = whole_cores()
    return max(1, cores - 1) if processes == "reuse" else cores
