"""How many cores this process may use: those it may run on, less what control groups forbid."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["usable_cores", "whole_cores"]


def usable_cores(root: Path = Path("/")) -> float:
    """Return how many cores this process may use, also where that is no whole number.

    A control group of version 2 may have a quota (``cpu.max``), as has every group that it is in:
    SLURM, Kubernetes and ``CPUQuota=`` of systemd give one. The least counts.

    Args:
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    cores = float(len(os.sched_getaffinity(0)))
    top = root / "sys/fs/cgroup"
    path = ""
    for line in _text(root / "proc/self/cgroup").splitlines():
        if line.startswith("0::/"):  # version 2
            path = line.removeprefix("0::/")
    group = top / path if ".." not in path.split("/") else top
    for folder in (group, *group.parents):
        quota, _, period = _text(folder / "cpu.max").strip().partition(" ")
        if quota.isdigit() and period.isdigit() and int(period):
            cores = min(cores, int(quota) / int(period))
        if folder == top:
            break
    return cores


def whole_cores() -> int:
    """Return how many processes can compute at a time here; at least one."""
    return max(1, int(usable_cores()))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
