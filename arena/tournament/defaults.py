"""Defaults that depend on the machine."""

from __future__ import annotations

import os

__all__ = ["spare_cores"]


def spare_cores() -> int:
    """Return the number of cores this process may use, but for one; at least 1."""
    return max(1, len(os.sched_getaffinity(0)) - 1)
