"""Words before a command that take something from it: limits, users, powers (util-linux)."""

from __future__ import annotations

import shutil
from functools import lru_cache

from arena.sandbox.interface import Task

__all__ = ["READ_ALL", "becoming", "find_tool", "limited"]

READ_ALL = "dac_read_search"  # the capability to pass and read what its owner keeps to himself


def limited(task: Task, processes: int | None = None) -> tuple[str, ...]:
    """Return the prefix that sets a task's limits, for each process that it comes to have.

    Args:
        task: says which.
        processes: how many the user it runs as may have; ``None``: as many as the task.

    Raises:
        FileNotFoundError: util-linux is not there.
    """
    words: tuple[str, ...] = (
        find_tool("prlimit"),
        f"--nproc={task.processes if processes is None else processes}",
        "--core=0",
        f"--fsize={task.file_bytes}",
        f"--nofile={task.files}",
    )
    if task.cpu_seconds is not None:
        words += (f"--cpu={task.cpu_seconds}",)
    return (*words, "--")


def becoming(uid: int, *kept: str) -> tuple[str, ...]:
    """Return options for ``setpriv`` that make root a user without any power but those kept."""
    powers = ",".join(("-all", *(f"+{name}" for name in kept)))
    return (
        *("--reuid", str(uid), "--regid", str(uid), "--clear-groups"),
        *(f"--bounding-set={powers}", f"--inh-caps={powers}"),
        *((f"--ambient-caps={powers}",) if kept else ()),
        "--no-new-privs",
    )


@lru_cache(maxsize=4)
def find_tool(name: str) -> str:
    """Return the absolute path of a tool of util-linux; raises ``FileNotFoundError``."""
    found = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if found is None:
        raise FileNotFoundError(f"{name} (util-linux) is not installed")
    return found
