"""Several things done at once, each in a process of its own, which takes only itself with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TypeVar

from arena.workers.fork_server import end_left_behind, start_fork_server, starting

R = TypeVar("R")
T = TypeVar("T")

STOP_SECONDS = 5.0  # for a process to stop its bots and end


def each_by_itself(
    do: Callable[[T], R], orders: Sequence[T], count: int
) -> Iterator[tuple[int, R | None]]:
    """Call a top-level function with each of the orders, and yield results as they come.

    Args:
        do: what is called, in a process of its own; it raises nothing.
        orders: what it is called with.
        count: how many calls at a time.

    Yields:
        The place in ``orders``, and the result; ``None`` if the process died.
    """
    context = multiprocessing.get_context("forkserver")
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    waiting = iter(enumerate(orders))
    start_fork_server(do.__module__)
    try:
        while True:
            while len(running) < count and (order := next(waiting, None)) is not None:
                place, what = order
                ours, theirs = context.Pipe(duplex=False)
                with starting() as note, theirs:
                    process: BaseProcess = context.Process(target=_work, args=(theirs, do, what))
                    process.start()
                    running[ours] = place, process  # before any signal is taken
                    note(process.pid or 0)
            if not running:
                return
            for ready in wait([*running]):
                assert isinstance(ready, Connection)
                place, process = running[ready]
                result = None
                with contextlib.suppress(EOFError):
                    result = ready.recv()
                del running[ready]
                _end(ready, process)
                yield place, result
    finally:
        for _, process in running.values():
            process.terminate()
        for ours, (_, process) in running.items():
            _end(ours, process)


def _end(connection: Connection, process: BaseProcess) -> None:
    """Wait until a process has ended, and end what it leaves behind."""
    connection.close()
    process.join(STOP_SECONDS)
    process.kill()
    process.join()
    end_left_behind([process.pid or 0])


def _work(connection: Connection, do: Callable[[T], object], what: T) -> None:
    os.setsid()  # signals of the terminal go to who started us
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    with contextlib.suppress(BrokenPipeError):
        connection.send(do(what))
