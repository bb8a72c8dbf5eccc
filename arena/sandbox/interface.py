"""What an isolation level promises: from a task to how it is started.

A level is one module in this folder that ends in ``LEVEL = Level(...)``. Each start asks
the level for a ``Launch`` of its own: descriptors in it serve one start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import NamedTuple

from arena.sandbox.cgroups.group import Group
from arena.sandbox.slots import Slot, needs_slots
from arena.sandbox.visible import check_open, plain_path
from arena.values.errors import Lack
from arena.values.model import Import

PLACE = "/bot"  # where a task finds its folder at the levels that give it a root of its own
HOME = "/tmp"  # the only place it may write to, and that only where it has one of its own
SHARED_MEMORY = "/dev/shm"  # as well, there
MEMORY_BYTES = 1 << 30  # of whatever is given no limit of its own


class Task(NamedTuple):
    """A program to run, and what it may use.

    Attributes:
        argv: the argument vector; its first word is absolute, or begins with ``./`` and lies in
            ``folder``.
        folder: the absolute folder that is its own, and becomes the working directory.
        env: variables added to the clean environment.
        memory_bytes: what the whole tree may use.
        cpu_seconds: CPU time after which the kernel ends each of its processes, a dead man's
            switch for those that nobody is left to stop; ``None``: no such limit.
        processes: how many processes and threads it may have at once.
        files: how many descriptors a process of it may have open.
        file_bytes: the size of the largest file it may write.
        writable: may it write to its folder? A build may.
        imports: what its Python programs can import, besides ``engines``.
        shown: folders that it can read as a whole, where the program of ``argv`` lies.
        ours: does it see what is installed beside the arena, at the level none?
    """

    argv: tuple[str, ...]
    folder: str
    env: tuple[tuple[str, str], ...] = ()
    memory_bytes: int = MEMORY_BYTES
    cpu_seconds: int | None = None
    processes: int = 64
    files: int = 64
    file_bytes: int = 16 << 20
    writable: bool = False
    imports: tuple[Import, ...] = ()
    shown: tuple[str, ...] = ()
    ours: bool = False


class Orders(NamedTuple):
    """What is done to a program before it runs; in any case it dies with us.

    Attributes:
        limits: ``RLIMIT_…`` numbers, and what to set both limits to.
        powerless: it can gain no privileges, and its orphaned descendants become its children.
        uid: the user, and group, to become; only root can.
        keep: capabilities that it has as that user, as bits.
        session: start a session for the program. One that starts a session itself gets only a
            process group here, as each new session waits some ms for a busy core.
        filter: a system call filter, for who is ``powerless`` or isolated.
        own_pid: the number in the filter that stands for the process id, if it has one.
        ruleset: isolate it by Landlock, whose ``struct landlock_ruleset_attr`` this is, and by the
            filter, which makes it powerless, too; nothing runs where a part of that cannot be had.
            ``READY`` is written to the first descriptor that it inherits once every step is done.
            ``None``: it is not isolated.
        paths: Landlock's rights beneath each path, which must exist.
    """

    limits: Mapping[int, int] = {}
    powerless: bool = False
    uid: int | None = None
    keep: int = 0
    session: bool = True
    filter: bytes | None = None
    own_pid: int | None = None
    ruleset: bytes | None = None
    paths: tuple[tuple[int, bytes], ...] = ()


class Launch(NamedTuple):
    """What to execute: ``argv``, the environment (a word of the run is added), the folder.

    Its block gives back what it took and no program keeps: each start is made in one.

    Attributes:
        orders: what our launcher does to the process before it executes ``argv``.
        inherited: descriptors of ours that are open in it, numbered from ``INHERITED`` on.
        lent: closes those of them that nobody needs here once it is started.
        kept: closes what is needed until nothing of the program is left: the four below.
        report: where bubblewrap tells, in JSON, the process id of its namespace's first process,
            and the exit code of what ran. -1: the level has no such report.
        filter: the descriptor from which bubblewrap reads its filter. -1: it reads none.
        confined: where a launcher tells that the program is next and all is in place. -1: the
            level has no such launcher.
        slot: the user it runs as, where root starts it.
        group: the control group it is started in, where one can be had.
        memory_bytes: how much memory all processes of the program may use together. ``None``: there
            is no limit.
        here: is it started in our own session, where it can open our terminal? Then no order is
            carried out.
        all_cores: may it use all cores that this process had at first?
        secrets: values that are in its environment alone, and in nothing that is kept or shown.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: str
    orders: Orders = Orders()
    inherited: tuple[int, ...] = ()
    lent: ExitStack = ExitStack()
    kept: ExitStack = ExitStack()
    report: int = -1
    confined: int = -1
    filter: int = -1
    slot: Slot | None = None
    group: Group | None = None
    memory_bytes: int | None = MEMORY_BYTES
    here: bool = False
    all_cores: bool = False
    secrets: Mapping[str, str] = {}

    def __enter__(self) -> Launch:
        return self

    def __exit__(self, *exception: object) -> None:
        self.lent.close()
        self.kept.close()


class LevelProblem(NamedTuple):
    """Why a level does not work on this machine, and what to do about it.

    ``lack``: what there was too little of, if that is known to be why.
    """

    reason: str
    remedy: str
    lack: Lack | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """One isolation level.

    Attributes:
        name: its word in tournament files and records.
        promise: in one line, what a bot can still do.
        starts: returns how to start a task whose program has no ``..``; called with that, what
            is kept until nothing of the program is left, and what is lent for the start, as
            ``Launch`` has them.
        isolates: is it fit for untrusted bots?
        reads: what of a task must be open to all users, as root's bots are users of their own.
    """

    name: str
    promise: str
    starts: Callable[[Task, ExitStack, ExitStack], Launch]
    isolates: bool
    reads: Callable[[Task], tuple[str, ...]] = lambda task: ()

    def check(self, task: Task) -> None:
        """Raise ``ClosedToOthers`` if root's bots may not read what a task needs."""
        if needs_slots():
            check_open(self.reads(task))

    def launch(self, task: Task) -> Launch:
        """Return how to start a task once.

        Raises:
            ClosedToOthers: root's bots may not read what it needs.
            OSError: this machine has no descriptor or slot left.
        """
        self.check(task)
        program, *words = task.argv
        if ".." in program.split("/"):
            program = plain_path(program)
        with ExitStack() as kept, ExitStack() as lent:
            how = self.starts(task._replace(argv=(program, *words)), kept, lent)
            return how._replace(
                kept=kept.pop_all(), lent=lent.pop_all(), memory_bytes=task.memory_bytes
            )
