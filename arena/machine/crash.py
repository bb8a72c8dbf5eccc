"""Crash points: named borders at which something could be lost.

Tests put a function of their own in the place of this one, before anything imports it: it has the
arena die, hang or meet an error at a crossing that it names.
"""

from __future__ import annotations


def cross(point: str, **of: object) -> None:
    """Cross a border; it does nothing, and takes some 50 ns.

    ``of`` is what this crossing is about, by its kind, such as ``match=3``. One that does not say
    so is about the same as the last one in this process.
    """
