"""Marks processes and temporary folders with the process that made them, to find orphans.

A process id alone says little, for the kernel gives it again. With the instant at which the process
began it is unmistakable, within one boot of one machine and one process namespace.
"""

from __future__ import annotations

import contextlib
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from arena.machine import procfs

__all__ = ["VARIABLE", "Mark", "is_dead", "mark_in_name", "name_part", "own_mark", "parse_mark"]

VARIABLE = "ARENA_RUN"  # in which every bot finds the mark of the process that started it

_TEXT = re.compile(r"([1-9][0-9]{0,9}):([0-9]{1,19}):([0-9a-f]{8})")
_NAME = re.compile(r"-([0-9.]+[0-9a-f]{8})-[^-/]+\Z")
_GONE = (b"Z", b"X")


class Mark(NamedTuple):
    """A process: its id, its start in clock ticks after boot, and the world where that holds."""

    pid: int
    start: int
    world: str

    def __str__(self) -> str:
        """Return it as text; ``parse_mark`` reads it."""
        return f"{self.pid}:{self.start}:{self.world}"


def parse_mark(text: str) -> Mark | None:
    """Read a mark; ``None`` if the text is none.

    >>> str(parse_mark("4711:123456:0badcafe"))
    '4711:123456:0badcafe'
    """
    found = _TEXT.fullmatch(text)
    return Mark(int(found[1]), int(found[2]), found[3]) if found else None


def own_mark() -> Mark:
    """Return the mark of this process."""
    return _mark_of(os.getpid())


def name_part() -> str:
    """Return this process's mark as a part of the name of something temporary.

    Such names are made as ``tempfile`` does: ``prefix=f"arena-probe-{name_part()}-"``.
    """
    return str(own_mark()).replace(":", ".")


def mark_in_name(name: str) -> Mark | None:
    """Return the mark in the name of something temporary; ``None`` if there is none.

    >>> str(mark_in_name("arena-probe-4711.123456.0badcafe-x7_y2"))
    '4711:123456:0badcafe'
    """
    found = _NAME.search(name)
    return parse_mark(found[1].replace(".", ":")) if found else None


def is_dead(mark: Mark) -> bool:
    """Return whether the marked process is certainly gone.

    What was marked before the last boot, on another machine or in another process namespace may be
    anything here, and does not count as gone.
    """
    return mark.world == this_world() and _started(mark.pid) != mark.start


@lru_cache(maxsize=1)
def this_world() -> str:
    """Return eight hexadecimal digits for this boot and this process namespace."""
    boot = "?"
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    where = os.readlink("/proc/self/ns/pid")
    import hashlib  # which readers do without

    return hashlib.sha256(f"{boot} {where}".encode()).hexdigest()[:8]


@lru_cache(maxsize=1)
def _mark_of(pid: int) -> Mark:  # a forked child is another process than its parent
    start = _started(pid)
    assert start is not None
    return Mark(pid, start, this_world())


def _started(pid: int) -> int | None:
    """Return when a process began, in clock ticks after boot; ``None`` if it does not live."""
    try:
        fields = procfs.stat(pid)
    except OSError:
        return None
    return None if fields[procfs.STATE] in _GONE else int(fields[procfs.START])
