"""Limits: a bot cannot use up the machine by accident, but can read and harm what you can.

It has a session of its own, limits on processes, files and memory dumps, an environment without
your secrets, and cannot gain powers. Root's bots run as users that own nothing. Against somebody
who means harm this does little.
"""

from __future__ import annotations

import os
import resource
from contextlib import ExitStack, suppress

from arena.machine import procfs
from arena.sandbox.environment import environment_of
from arena.sandbox.importable import engines_import, import_folder, on_bare_python
from arena.sandbox.interface import Launch, Level, Orders, Task
from arena.sandbox.seccomp import FilterKind, seccomp_program
from arena.sandbox.slots import Slot, needed_slot
from arena.sandbox.visible import needed

SIGNALS = 1024  # timers and signals that wait: the kernel counts them for a user, you with them


def process_limit(task: Task, slot: Slot | None) -> int:
    """Return how many processes the user that a task runs as may have at once.

    The kernel counts by user, on the whole machine. A slot's user runs the task alone. You run much
    else, so the task gets its share on top of what runs when it starts. That is rough: what you
    start later, and your other bots, count against it, and what you end counts for it.
    """
    return task.processes if slot is not None else task.processes + procfs.tasks_of(os.getuid())


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
        resource.RLIMIT_SIGPENDING: SIGNALS,
    }
    if processes is not None:
        limits[resource.RLIMIT_NPROC] = processes
    if task.cpu_seconds is not None:
        limits[resource.RLIMIT_CPU] = task.cpu_seconds
    return limits


def _reads(task: Task) -> tuple[str, ...]:
    imports = (path for _, path in (engines_import(), *task.imports))
    return (task.folder, *needed(task.argv[0], task.shown), *imports)


def _launch(task: Task, kept: ExitStack, lent: ExitStack) -> Launch:
    slot = needed_slot(kept)
    folder, _ = import_folder(task.imports)
    program = None
    with suppress(OSError):  # there is none for this machine
        program = seccomp_program(FilterKind("limits", build=task.writable))
    return Launch(
        argv=on_bare_python(task.argv, folder),
        env=environment_of(task, folder),
        folder=task.folder,
        orders=Orders(
            kernel_limits(task, process_limit(task, slot)),
            powerless=True,
            uid=None if slot is None else slot.uid,
            filter=program,
        ),
        slot=slot,
    )


LEVEL = Level(
    name="limits",
    promise="accidents stay small, but a bot can read and harm what you can: for bots you trust",
    starts=_launch,
    reads=_reads,
    isolates=False,
)
