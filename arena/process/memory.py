"""How much memory a bot's processes hold together, and how many they are.

Pages of programs and libraries are everybody's and count for nobody. What a process shares with its
children by ``fork`` is counted again for each of them by the cheap look, so that a sum beyond the
limit is looked at a second time, page by page.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from arena import procfs
from arena.process.tree import Tree
from arena.sandbox.cgroups.home import own_group

__all__ = ["MAX_PROCESSES", "Usage", "free_part", "kernel_kills", "usage"]

MAX_PROCESSES = 256  # of a bot, at levels that do not count them; the others allow fewer
# of a control group, either version: its limit, what is used, and what of that can be given back
_GROUP_FILES = (
    ("", "memory.max", "memory.current", b"\ninactive_file "),
    ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", b"\ntotal_inactive_file "),
)
_KEYS = (b"\nRssAnon:", b"\nRssShmem:", b"\nVmSwap:")


class Usage(NamedTuple):
    """What the processes of a bot hold."""

    memory_bytes: int
    processes: int


def usage(tree: Tree, limit_bytes: int, limit_processes: int) -> Usage:
    """Look at all processes of a tree.

    Args:
        tree: whose.
        limit_bytes: up to which nobody needs to know exactly: the memory is never below the
            truth by much, and exact (as far as the kernel tells) only above this.
        limit_processes: beyond so many their memory is not looked at.
    """
    members = tree.members()
    if len(members) > limit_processes:
        return Usage(0, len(members))
    anonymous = shared = 0
    for pid in members:
        own, mapped, swapped = _resident(pid)
        anonymous += own + swapped
        shared += mapped
    # a file in memory need not be mapped by anybody; one that is mapped is not to count twice
    total = anonymous + max(shared, _memory_files(members))
    if total > limit_bytes and len(members) > 1:
        proportional = [_proportional(pid) for pid in members]
        exact = [found for found in proportional if found is not None]
        if len(exact) == len(members):
            private = sum(own for own, _ in exact)
            total = private + max(sum(mapped for _, mapped in exact), _memory_files(members))
    return Usage(total, len(members))


def free_part(root: Path = Path("/")) -> float:
    """Return the part of the memory that is free, of this machine or of our own control group.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    text = (root / "proc/meminfo").read_bytes()
    free = (_number(text, b"\nMemAvailable:") or 0) / (_number(text, b"MemTotal:") or 1)
    for controller, most, used, cached in _GROUP_FILES:
        folder = _own_group(root, controller)
        with contextlib.suppress(OSError, ValueError):  # there is none, or it has no limit
            limit = int((folder / most).read_bytes())
            kept = _number((folder / "memory.stat").read_bytes(), cached) or 0
            free = min(free, 1 - (int((folder / used).read_bytes()) - kept) / limit)
    return free


@lru_cache(maxsize=2)
def _own_group(root: Path, controller: str) -> Path:
    return own_group(root, controller) or Path("/nowhere")


def kernel_kills() -> int:
    """Return how many processes the kernel has killed so far because memory ran out."""
    with contextlib.suppress(OSError):
        return _number(Path("/proc/vmstat").read_bytes(), b"\noom_kill ") or 0
    return 0


def _resident(pid: int) -> tuple[int, int, int]:
    """Return a process's own bytes, those shared with others, and those swapped out."""
    try:
        text = procfs.read(pid, "status")
    except OSError:
        return 0, 0, 0
    own, mapped, swapped = (_number(text, key) or 0 for key in _KEYS)
    return own * 1024, mapped * 1024, swapped * 1024


def _proportional(pid: int) -> tuple[int, int] | None:
    """Return the same with each page divided among those who map it; ``None`` if hidden from us."""
    try:
        text = procfs.read(pid, "smaps_rollup")
    except FileNotFoundError:
        return 0, 0  # it has ended
    except OSError:
        return (0, 0) if not os.path.exists(f"/proc/{pid}/status") else None
    own, mapped = _number(text, b"\nPss_Anon:"), _number(text, b"\nPss_Shmem:")
    if own is None or mapped is None:
        return None
    return (own + (_number(text, b"\nSwapPss:") or 0)) * 1024, mapped * 1024


def _number(text: bytes, key: bytes) -> int | None:
    place = text.find(key)
    return None if place < 0 else int(text[place + len(key) :].split(None, 1)[0])


def _memory_files(pids: Sequence[int]) -> int:
    """Return the bytes of the memory files (``memfd_create``) that processes have open."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for path, target in procfs.open_files(pid):
                if target.startswith("/memfd:"):
                    with contextlib.suppress(OSError):
                        found = os.stat(path)
                        sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(sizes.values())
