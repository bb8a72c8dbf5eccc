"""Our processes that recheck what hosts sent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor

from arena.cluster.recheck import Sent, recheck
from arena.machine.shared_memory import sharing
from arena.packed.match import StoredMatch
from arena.values.model import Match
from arena.workers.fork_server import start_fork_server, starting
from arena.workers.watched import Make

__all__ = ["Item", "Recheckers"]

Item = tuple[Match, Sent]
Then = Callable[[Sequence[Item], "list[StoredMatch | str] | BaseException"], None]
"""Takes matches, and each as it is to be stored, or why it is wrong; or why none was rechecked."""


class Recheckers:
    """Processes in which jobs are made by one function; close them in the end."""

    def __init__(self, make: Make) -> None:
        start_fork_server()
        self._make = make
        self._pool = self._new_pool()

    def give(self, items: Sequence[Item], then: Then) -> None:
        """Have matches rechecked; ``then`` is called in a thread of the pool."""
        with starting():
            try:
                future = self._pool.submit(_found, items)
            except BrokenExecutor:  # somebody killed one of its processes
                self._pool = self._new_pool()
                future = self._pool.submit(_found, items)

        def done(future: Future[list[StoredMatch | str]]) -> None:
            if not future.cancelled():
                then(items, future.exception() or future.result())

        future.add_done_callback(done)

    def close(self) -> None:
        """End all of them."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("forkserver")
        with sharing():
            return ProcessPoolExecutor(os.cpu_count(), context, _begin, (self._make,))


_make: Make  # of this process, if it rechecks


def _begin(make: Make) -> None:
    """Begin to recheck; signals of the terminal are the runner's to handle."""
    global _make
    _make = make
    threading.Thread(target=_end_with_runner, daemon=True).start()
    os.setsid()
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _end_with_runner() -> None:
    """End this process, which has both ends of its queue, as soon as the runner has ended."""
    runner = multiprocessing.parent_process()
    assert runner is not None, "the runner has started this process"
    runner.join()
    os._exit(1)


def _found(items: Sequence[Item]) -> list[StoredMatch | str]:
    """Return what came of each match: as it is to be stored, or why it is wrong."""
    return [_rechecked(*item) for item in items]


def _rechecked(match: Match, sent: Sent) -> StoredMatch | str:
    try:
        return recheck(_make(match), sent)
    except Exception:  # whatever the engine meets in what is none of its games
        return f"the recheck failed: {traceback.format_exc()}"
