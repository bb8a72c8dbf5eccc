"""What a tournament file may ask for that this version can do.

The words of the file are fixed; not everything behind them exists everywhere. What cannot run is
refused before anything starts, never ignored. Formats are not listed: they are found by scanning
(``arena.schedule.formats``).
"""

from __future__ import annotations

from arena.errors import UsageError, near_miss

__all__ = ["STOPS", "check_sandbox", "check_stop"]

SANDBOXES = ("auto", "bwrap", "landlock", "limits", "none")

STOPS = ("matches", "sigma", "sprt")
RUNNING_STOPS = ("matches", "sprt")


def check_sandbox(level: str) -> str:
    """Return the level of isolation as it is; raises ``UsageError`` if there is none such."""
    if level not in SANDBOXES:
        raise UsageError(
            f'expected one of {", ".join(SANDBOXES)}, found "{level}"' + near_miss(level, SANDBOXES)
        )
    return level


def check_stop(kind: str) -> None:
    """Raise ``UsageError`` if nothing evaluates this kind of stop, one of ``STOPS``."""
    if kind not in RUNNING_STOPS:
        raise UsageError(
            f"this version does not evaluate {kind}; a tournament can stop by "
            + ", ".join(RUNNING_STOPS)
        )
