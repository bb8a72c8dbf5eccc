"""What this machine did for others: the CPU time of every process that is no part of a match.

A bot must not be able to pass its own work off as somebody else's. So only processes count that can
be seen, alive, and are none of the bots'; what they waited for counts with them. Busy time that
belongs to nobody who can be seen counts for nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping

from arena import procfs

__all__ = ["Work", "work_between", "work_of_others"]

Work = Mapping[tuple[int, int], tuple[int, int]]
"""Process id and start time → the CPU time it used and reaped so far, in ns, and its last core."""


def work_of_others(ours: Collection[int]) -> Work:
    """Return what every living process but ours has used; takes some 10 ms.

    Args:
        ours: process ids that do not count.
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for pid in procfs.pids():
        if pid in ours:
            continue
        with contextlib.suppress(OSError, ValueError):
            fields = procfs.stat(pid)
            used_ns = sum(map(int, fields[procfs.TIMES])) * procfs.TICK_NS
            found[pid, int(fields[procfs.START])] = used_ns, int(fields[procfs.CORE])
    return found


def work_between(before: Work, after: Work, cores: Collection[int]) -> int:
    """Return the CPU time used between two looks, in ns, by those on these cores at the second.

    >>> work_between({(7, 1): (50, 0), (8, 1): (60, 0)}, {(7, 1): (70, 0), (9, 2): (5, 1)}, {0, 1})
    25
    """
    return sum(
        max(0, used - before.get(who, (0, 0))[0])
        for who, (used, core) in after.items()
        if core in cores
    )
