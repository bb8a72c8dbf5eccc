"""Limits: a bot cannot use up the machine by accident, but can read and harm what you can.

It has a session of its own, limits on processes, files and memory dumps, an environment without
your secrets, and cannot gain powers. Root's bots run as users that own nothing. Against somebody
who means harm this does little.
"""

from __future__ import annotations

import os
import resource
from contextlib import ExitStack

from arena import procfs
from arena.sandbox.environment import engines_root, environment_of
from arena.sandbox.interface import Launch, Level, Task
from arena.sandbox.prefixes import READ_ALL, becoming, find_tool, limited
from arena.sandbox.reach import open_to_all
from arena.sandbox.slots import Slot, needs_slots, take_slot
from arena.sandbox.visible import needed

__all__ = ["LEVEL", "kernel_limits", "process_limit", "tasks_of"]


def process_limit(task: Task, slot: Slot | None) -> int:
    """Return how many processes the user that a task runs as may have at once.

    The kernel counts by user, on the whole machine. A slot's user runs the task alone. You run much
    else, so the task gets its share on top of what runs when it starts. That is rough: what you
    start later, and your other bots, count against it, and what you end counts for it.
    """
    return task.processes if slot is not None else task.processes + tasks_of(os.getuid())


def kernel_limits(task: Task, processes: int | None) -> dict[int, int]:
    """Return what the kernel is to limit of a task, by its ``RLIMIT_…`` numbers.

    Args:
        task: says how much.
        processes: how many the user it runs as may have; ``None``: that is not limited.
    """
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: task.file_bytes,
        resource.RLIMIT_NOFILE: task.files,
    }
    if processes is not None:
        limits[resource.RLIMIT_NPROC] = processes
    if task.cpu_seconds is not None:
        limits[resource.RLIMIT_CPU] = task.cpu_seconds
    return limits


def tasks_of(uid: int) -> int:
    """Return how many processes and threads a user has now."""
    count = 0
    for pid in procfs.pids():
        try:
            entry = os.stat(f"/proc/{pid}/task")
        except OSError:
            continue  # it has ended
        if entry.st_uid == uid:
            count += max(1, entry.st_nlink - 2)  # a folder in it for each thread
    return count


def _launch(task: Task) -> Launch:
    with ExitStack() as taken:  # given back where anything fails
        slot = take_slot() if needs_slots() else None
        if slot is not None:
            taken.callback(slot.close)
        argv = (
            *limited(task, process_limit(task, slot)),
            *(find_tool("setpriv"), "--pdeathsig", "KILL", *_powers(task, slot), "--"),
            *task.argv,
        )
        env = environment_of(task)
        taken.pop_all()
    return Launch(argv, env, task.folder, slot=slot, memory_bytes=task.memory_bytes)


def _powers(task: Task, slot: Slot | None) -> tuple[str, ...]:
    """Return the options for ``setpriv`` that take a task's powers.

    What root keeps to himself, and the task needs, its user can read only with a power that opens
    everything else to it as well.
    """
    if slot is None:
        return ("--no-new-privs",)
    root = engines_root()
    paths = (
        *(task.folder, *needed(task.argv)),
        *(() if root is None else (str(root),)),
        *(path for _, path in task.imports),
    )
    return becoming(slot.uid, *(() if open_to_all(paths) else (READ_ALL,)))


LEVEL = Level(
    name="limits",
    promise="accidents stay small, but a bot can read and harm what you can: for bots you trust",
    launch=_launch,
    isolates=False,
)
