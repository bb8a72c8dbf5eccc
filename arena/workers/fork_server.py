"""The process that forks the workers, and adopts what dead ones leave behind.

It is a fresh interpreter that imports what workers need, which takes as long as preparing a
tournament does. So it is started before that, and imports on another core meanwhile. All of its
children that are no workers are ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import forkserver, resource_tracker
from types import ModuleType

from arena.machine import procfs
from arena.machine.safe_path import safe_path
from arena.process.leftovers import folder_of_sockets
from arena.process.stop_all import end_all
from arena.values.errors import doing

# by workers, for their first match, too; what only the runner needs would cost them memory
NEEDED = (
    "arena.workers.fork_hook",
    "arena.workers.worker",
    "arena.workers.jobs",
    "arena.sandbox.bwrap",
)
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


_workers: set[int] = set()  # that live, of all groups of workers of this process
_one_at_a_time = threading.RLock()  # starts, and looks for who is no worker


def start_fork_server(*more: str) -> None:
    """Start it, unless it runs, and do not wait until it is ready; it imports ``more`` as well.

    A fork of a process that has one cannot start another; it may have nothing to play.
    """
    folder_of_sockets()  # where it has one
    forkserver.set_forkserver_preload([*NEEDED, *more])
    _start_tracker()
    words = doing("start the process that forks workers")
    with put_off(), safe_path(), words, contextlib.suppress(ChildProcessError):
        forkserver.ensure_running()


@contextlib.contextmanager
def starting() -> Iterator[Callable[[int], None]]:
    """Return a block that starts a worker by the fork server, whatever signals come.

    It gives what the worker's process id is handed to.

    Workers do not import the program that uses the arena, as ``multiprocessing`` has a process do:
    they need nothing of it, and a program without a guard would run its tournament in each of them.
    """
    _start_tracker()
    main = sys.modules["__main__"]
    with put_off(), safe_path(), _one_at_a_time:
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield _workers.add
        finally:
            sys.modules["__main__"] = main


def end_left_behind(ended: Iterable[int] = ()) -> None:
    """End what dead workers have left behind; ``ended``: workers that live no more."""
    with _one_at_a_time:
        _workers.difference_update(ended)
        server = vars(forkserver._forkserver)["_forkserver_pid"]
        with contextlib.suppress(OSError):
            # if it is gone, its id may be another's
            if int(procfs.stat(server)[procfs.PARENT]) == os.getpid():
                end_all(server, _workers)


def _start_tracker() -> None:
    """Start the process by which ``multiprocessing`` tidies up, unless it runs.

    To be done before signals are put off, since it lets them come again.
    """
    with warnings.catch_warnings(), safe_path():
        # somebody killed it; it has nothing to track for us, and another one is started
        warnings.filterwarnings("ignore", "resource_tracker: process died")
        resource_tracker.ensure_running()


@contextlib.contextmanager
def put_off() -> Iterator[None]:
    """Put signals off: a process that is half started when they come would show a traceback.

    Blocking them is for the process that is started. Another thread of ours may still take one, and
    have this one interrupted; so what Python does about them waits as well.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # no handler runs in this thread
        return
    came: list[int] = []
    handled = {one: was for one in STOPPING if callable(was := signal.getsignal(one))}
    for number in handled:
        signal.signal(number, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handled.items():
            signal.signal(number, handler)
        for one in came:
            signal.raise_signal(one)
