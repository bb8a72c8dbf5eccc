"""The host processes of this machine: started, watched, and started again where one dies.

Each is a program of its own (``arena cluster node``) in a session of its own, so that Ctrl-C comes
here only. Its input is a pipe on which nothing is ever written: it ends with this process.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from arena.cluster.addresses import Scheduler
from arena.cluster.handshake import greet
from arena.errors import WorkerError
from arena.process.bot import become_subreaper, children, kill_strays
from arena.process.launcher import dismiss_launcher
from arena.process.leftovers import sweep
from arena.process.machine_memory import kernel_kills
from arena.sandbox import find_level
from arena.sandbox.cgroups.home import use_own_group
from arena.sandbox.cgroups.remains import sweep_groups
from arena.session.choose import choose_level
from arena.workers.endings import how_it_ended

__all__ = ["Nodes", "ready_for", "shares"]

DEATHS = 5  # of one host process, in a row, each soon after its start
SOON_SECONDS = 10.0
LOOK_SECONDS = 1.0  # between looks for what a dead one has left
AGAIN_SECONDS = 2.0  # between two attempts to reach a scheduler
STOP_SECONDS = 8.0  # for all of them to end; then they are killed

log = logging.getLogger(__name__)


def shares(count: int, cores: Sequence[int]) -> list[tuple[int, ...]]:
    """Return for each of so many host processes the cores that it may use; each has one at least.

    >>> shares(2, [0, 1, 2, 3, 4])
    [(0, 2, 4), (1, 3)]
    >>> shares(3, [0, 1])
    [(0,), (1,), (0,)]
    """
    return [tuple(cores[place::count]) or (cores[place % len(cores)],) for place in range(count)]


def ready_for(scheduler: Scheduler, sandbox: str, home: Path) -> None:
    """Make sure that this machine can isolate bots, and wait until the scheduler answers.

    Raises:
        UsageError: it cannot do so at the level that is named, or the scheduler does not fit.
        MachineLacks: that cannot be known now.
    """
    sweep(home)
    level = find_level(choose_level(sandbox))
    dismiss_launcher()  # nothing more is started in the sandbox here
    if level.isolates:
        log.info('bots are isolated by "%s"', level.name)
    else:
        log.warning(
            'bots run at the level "%s": %s; tournaments whose bots must be isolated are not '
            "played here",
            *(level.name, level.promise),
        )
    waits = False
    while True:
        try:
            return greet(scheduler)
        except WorkerError as error:
            if not waits:
                log.warning("%s; trying again until it is there", error)
            waits = True
            time.sleep(AGAIN_SECONDS)


@dataclass(slots=True)
class _Node:
    """A host process; ``deaths`` are those of the ones before it that ended soon."""

    process: subprocess.Popen[bytes]
    deaths: int = 0
    kernel_kills: int = field(default_factory=kernel_kills)
    started: float = field(default_factory=time.monotonic)


class Nodes:
    """The host processes of this machine; use as a context manager, in the main thread.

    Args:
        commands: one for each process.
    """

    def __init__(self, commands: Sequence[Sequence[str]]) -> None:
        self._commands = commands
        self._nodes: list[_Node] = []

    def __enter__(self) -> Nodes:
        become_subreaper()  # what a dead one leaves comes to us
        use_own_group()
        try:
            for command in self._commands:
                self._nodes.append(_started(command))
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop()

    def pids(self) -> list[int]:
        """Return the process ids of the host processes."""
        return [node.process.pid for node in self._nodes]

    def watch(self) -> None:
        """Start again whatever dies, for ever.

        Raises:
            WorkerError: one dies again and again as soon as it was started.
            KeyboardInterrupt: somebody stopped it.
        """
        while True:
            poll = select.poll()
            with contextlib.ExitStack() as open_:
                for node in self._nodes:
                    handle = os.pidfd_open(node.process.pid)
                    open_.callback(os.close, handle)
                    poll.register(handle, select.POLLIN)
                poll.poll(LOOK_SECONDS * 1000)
            for place, node in enumerate(self._nodes):
                if node.process.poll() is not None:
                    self._replace(place)
            self._clear()

    def _replace(self, place: int) -> None:
        dead = self._nodes[place]
        assert dead.process.stdin is not None
        dead.process.stdin.close()
        how = how_it_ended(dead.process.returncode, kernel_kills() - dead.kernel_kills)
        soon = time.monotonic() - dead.started < SOON_SECONDS
        deaths = dead.deaths + 1 if soon else 1
        if deaths == DEATHS:
            raise WorkerError(
                f"a host process ended {DEATHS} times as soon as it was started; the last {how}"
            )
        log.warning("host process %s %s; another one is started", dead.process.pid, how)
        self._clear()
        self._nodes[place] = _started(self._commands[place], deaths)

    def _clear(self) -> None:
        """End and reap what dead host processes have left behind."""
        ours = frozenset(self.pids())
        if kill_strays(ours):
            sweep_groups()
        for pid in children() - ours:  # what ends by itself
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)

    def _stop(self) -> None:
        """End all of them: their matches are cut short, and belong to the coordinator."""
        for node in self._nodes:
            assert node.process.stdin is not None
            node.process.stdin.close()
            node.process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for node in self._nodes:
            try:
                node.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                node.process.kill()
                node.process.wait()
        self._nodes = []
        self._clear()


def _started(command: Sequence[str], deaths: int = 0) -> _Node:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    return _Node(process, deaths)
