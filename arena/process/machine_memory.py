"""How much memory this machine has, and whether its kernel has ended a process for lack of it.

The machine is as large as the control groups allow that we are in.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from arena.sandbox.cgroups.own_group import own_group

RECENT_NS = 100_000_000
ROOT = Path("/")


def total_bytes(root: Path = ROOT) -> int:
    """Return how much memory there is for us.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    text = (root / "proc/meminfo").read_bytes()
    limits = [limit for limit, _ in _limits(root)]
    return min([(number_after(text, b"MemTotal:") or 0) * 1024, *limits])


def free_part(root: Path = ROOT) -> float:
    """Return the part of the memory that is free; ``root`` is as for ``total_bytes``."""
    text = (root / "proc/meminfo").read_bytes()
    free = (number_after(text, b"\nMemAvailable:") or 0) / (number_after(text, b"MemTotal:") or 1)
    return min([free, *(1 - used / limit for limit, used in _limits(root))])


def kernel_kills(root: Path = ROOT) -> int:
    """Return how many processes the kernel has ended so far because memory ran out.

    Those of our own control group, where that is counted; else those of this machine.
    """
    with contextlib.suppress(OSError):
        text = (_own_group(root) / "memory.events").read_bytes()
        if (found := number_after(text, b"\noom_kill ")) is not None:
            return found
    with contextlib.suppress(OSError):
        return number_after((root / "proc/vmstat").read_bytes(), b"\noom_kill ") or 0
    return 0


def recent_kernel_kills(now: int) -> int:
    """Return the same as it was at most 100 ms before ``now``, in ns: it is asked for each bot."""
    global _seen
    if not 0 <= now - _seen[0] < RECENT_NS:
        _seen = (now, kernel_kills())
    return _seen[1]


_seen = (-RECENT_NS, 0)


def number_after(text: bytes, key: bytes) -> int | None:
    """Return the number that follows a word, ``None`` if it is not there."""
    place = text.find(key)
    return None if place < 0 else int(text[place + len(key) :].split(None, 1)[0])


def _limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield the limit of each group that we are in, and what of it is used and not given back."""
    own = _own_group(root)
    for folder in (own, *own.parents):
        try:
            limit = int((folder / "memory.max").read_bytes())
            kept = number_after((folder / "memory.stat").read_bytes(), b"\ninactive_file ") or 0
            yield limit, int((folder / "memory.current").read_bytes()) - kept
        except (OSError, ValueError):
            continue  # it has no limit, or is none


@lru_cache(maxsize=1)
def _own_group(root: Path) -> Path:
    return own_group(root) or Path("/nowhere")
