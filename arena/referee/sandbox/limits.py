"""Limits: a bot cannot use up the machine by accident, but can read and harm what you can.

It has a session of its own, limits on processes, files and memory dumps, an environment without
your secrets, and cannot gain powers. Root's bots run as users that own nothing. Against somebody
who means harm this does little.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from contextlib import ExitStack

from arena.referee.mark import name_part
from arena.referee.process import LaunchError, children, strays
from arena.referee.sandbox.environment import engines_root, environment_of
from arena.referee.sandbox.interface import Launch, Level, Problem, Task
from arena.referee.sandbox.prefixes import READ_ALL, becoming, find_tool, limited
from arena.referee.sandbox.reach import open_to_all
from arena.referee.sandbox.slots import Slot, needs_slots, take_slot
from arena.referee.sandbox.trial import run_trial
from arena.referee.sandbox.visible import needed

__all__ = ["LEVEL", "kernel_limits", "process_limit", "tasks_of"]

PROBE_SECONDS = 10.0


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
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                entry = os.stat(f"/proc/{name}/task")
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


# what must hold of a bot; its child must not outlive it
_LOOK = """
import os, resource, sys
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
if os.getsid(0) != os.getpid():
    print("it had no session of its own")
if int(status["NoNewPrivs"]) != 1:
    print("it could gain powers")
for name, most in zip(("NPROC", "NOFILE", "FSIZE", "CORE"), sys.argv[1:]):
    if resource.getrlimit(getattr(resource, "RLIMIT_" + name)) != (int(most), int(most)):
        print("its limit " + name + " was another")
if sys.argv[5] != "-" and os.getresuid() != (int(sys.argv[5]),) * 3:
    print("it kept the user root")
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    while True:
        os.read(os.pipe()[0], 1)
print("looked")
"""


def _probe() -> Problem | None:
    """Have a program look at its limits exactly where bots run."""
    try:
        find_tool("setpriv")
        find_tool("prlimit")
    except FileNotFoundError as error:
        return Problem(str(error), "install it: apt install util-linux, or dnf install util-linux")
    before = children()
    with tempfile.TemporaryDirectory(prefix=f"arena-probe-{name_part()}-") as folder:
        os.chmod(folder, 0o755)
        task = Task(argv=(sys.executable, "-I", "-S"), folder=folder)
        try:
            how = _launch(task)
            slot = how.slot
            most = next(word for word in how.argv if word.startswith("--nproc=")).partition("=")[2]
            values = (
                most,
                *map(str, (task.files, task.file_bytes, 0)),
                str(slot.uid) if slot else "-",
            )
            trial = run_trial(how._replace(argv=(*how.argv, "-c", _LOOK, *values)), PROBE_SECONDS)
        except (OSError, LaunchError) as error:
            return Problem(str(error), "see what the message names, and try again")
    if trial.out != "looked\n":
        seen = "; ".join(trial.out.splitlines()[:-1]) or trial.err.strip() or "it did not end"
        return Problem(seen, 'see what the message names, or use "none" for bots you trust')
    if strays(before) or (slot is not None and not slot.empty):
        return Problem("a process that it had started was still there", "use another level")
    return None


LEVEL = Level(
    name="limits",
    promise="accidents stay small, but a bot can read and harm what you can: for bots you trust",
    launch=_launch,
    probe=_probe,
    isolates=False,
)
