"""The cores of this machine: how many this process may use, and what runs on each."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from pathlib import Path

from arena.machine import procfs
from arena.machine.procfs import text_of


def usable_cores(root: Path = Path("/")) -> float:
    """Return how many cores this process may use, also where that is no whole number.

    A control group of version 2 may have a quota (``cpu.max``), as has every group that it is in:
    SLURM, Kubernetes and ``CPUQuota=`` of systemd give one. The least counts.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    cores = float(len(os.sched_getaffinity(0)))
    lines = text_of(root / "proc/self/cgroup").splitlines()
    path = next((line[4:] for line in lines if line.startswith("0::/")), "")  # version 2
    group = root / "sys/fs/cgroup" / path
    for folder in (group, *group.parents):  # what is no group has no quota
        quota, _, period = text_of(folder / "cpu.max").strip().partition(" ")
        if quota.isdigit() and period.isdigit() and int(period):
            cores = min(cores, int(quota) / int(period))
    return cores


def whole_cores() -> int:
    """Return how many processes can compute at a time here; at least one."""
    return max(1, int(usable_cores()))


def running() -> Counter[int]:
    """Return how many other processes compute on each core at this moment, as far as is seen.

    It takes some 12 µs for each process of this machine.
    """
    found: Counter[int] = Counter()
    for pid in procfs.pids():
        with contextlib.suppress(OSError, IndexError):  # it has ended
            fields = procfs.stat(pid)
            if fields[procfs.STATE] == b"R" and pid != os.getpid():
                found[int(fields[procfs.CORE])] += 1
    return found
