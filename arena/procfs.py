"""The one reader of what ``/proc`` says of processes: which there are, and what each of them does.

A process may end at any moment, so every question about one can raise ``OSError``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

__all__ = [
    "CORE",
    "PARENT",
    "REAPED",
    "START",
    "STATE",
    "THREADS",
    "TICK_NS",
    "TIMES",
    "children_of",
    "command_line",
    "descendants",
    "pids",
    "stat",
    "user",
]

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")

# fields of `stat`, see proc(5)
STATE = 0  # such as b"R" ready or running, b"S" asleep, b"Z" dead and not waited for
PARENT = 1
TIMES = slice(11, 15)  # CPU time in ticks: user and system, of its own and of children reaped
REAPED = slice(13, 15)
THREADS = 17
START = 19  # ticks after boot
CORE = 36  # the one it ran on last


def pids() -> Iterator[int]:
    """Yield the ids of all processes; some that begin meanwhile may be missed."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            yield int(name)


def stat(pid: int) -> list[bytes]:
    """Return the fields behind the program's name, which may contain anything."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def user(pid: int) -> int:
    """Return the id of the user that a process runs as."""
    return os.stat(f"/proc/{pid}").st_uid


def command_line(pid: int, most: int) -> list[bytes]:
    """Return the words of a process's command line, of its first ``most`` bytes."""
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read(most).rstrip(b"\0").split(b"\0")


def children_of(pid: int) -> list[int]:
    """Return the process ids of a process's children, those of all its threads; [] if it is gone.

    A process that ends meanwhile may be missing.
    """
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as f:
            found += [int(number) for number in f.read().split()]
    return found


def descendants(pid: int) -> Iterator[int]:
    """Yield the process ids of everything below a process, parents before their children."""
    waiting = children_of(pid)
    while waiting:
        child = waiting.pop()
        yield child
        waiting += children_of(child)
