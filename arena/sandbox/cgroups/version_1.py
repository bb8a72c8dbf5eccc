"""Limits by version 1 of control groups, on machines where that holds the controllers we need.

Version 2 does all the rest there. A process gets into a group of version 1 by its own hand, before
it does anything else: to move itself it waits for nobody.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

__all__ = ["OldGroup", "make_old_group"]

# what to write, by controller; the names that matter first, those that may be missing after them
FILES = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
    "pids": ("pids.max",),
}
NEAR = 0.99  # of its limit: the kernel charges a few pages at once


class OldGroup(NamedTuple):
    """A bot's group in one hierarchy of version 1.

    Attributes:
        controller: which.
        folder: where it is.
        tasks: a descriptor; whoever writes a 0 to it is in the group.
    """

    controller: str
    folder: Path
    tasks: int

    def kernel_kills(self) -> tuple[int, bool]:
        """Return how many of its processes the kernel has ended, and whether for what it held."""
        killed = 0
        with contextlib.suppress(OSError):
            for line in (self.folder / "memory.oom_control").read_bytes().splitlines():
                if line.startswith(b"oom_kill "):
                    killed = int(line.split()[1])
        # not every kernel counts how often a limit was reached
        most = NEAR * self._bytes("memory.limit_in_bytes")
        return killed, bool(killed) and self._bytes("memory.max_usage_in_bytes") >= most

    def _bytes(self, name: str) -> int:
        with contextlib.suppress(OSError):
            return int((self.folder / name).read_bytes())
        return 0


def make_old_group(controller: str, folder: Path, limit: int) -> OldGroup | None:
    """Make a group with a limit; ``None`` if that cannot be had.

    Args:
        controller: ``memory`` or ``pids``.
        folder: of the group to be.
        limit: how many bytes, or processes.
    """
    first, *others = FILES[controller]
    try:
        folder.mkdir()
    except OSError:
        return None
    try:
        (folder / first).write_text(str(limit))
        for name in others:
            with contextlib.suppress(OSError):  # without it swap is not limited
                (folder / name).write_text(str(limit))
        return OldGroup(controller, folder, os.open(folder / "tasks", os.O_WRONLY))
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
