"""A thread that watches its own process while that plays or builds: it starts nothing.

A worker is watched by the runner. Elsewhere the process that plays is the one that was typed, and
this thread does the same there as far as a thread can.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.machine.heartbeat import ENGINE, Heartbeat, pid_of
from arena.process.silence import LOOK_SECONDS, Hang, Silence, engine_hangs
from arena.process.stop_all import end_tree
from arena.values.errors import MatchVoid

__all__ = ["EngineHangs", "in_engine", "watched"]

log = logging.getLogger(__name__)


class EngineHangs(BaseException):
    """Raised in the thread that plays while it is in an engine that takes too long."""


@contextmanager
def watched(heartbeat: Heartbeat) -> Iterator[None]:
    """Watch this thread by its heartbeat, as long as the block lasts.

    Raises:
        EngineHangs: the engine of the game took too long.
        OSError: this machine has no process left for a thread.
    """
    done = threading.Event()
    watcher = threading.Thread(
        target=_watch,
        args=(heartbeat, threading.get_ident(), done),
        daemon=True,
        name="arena-watcher",
    )
    try:
        watcher.start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, str(error)) from error
    try:
        yield
    finally:
        done.set()
        watcher.join()


@contextmanager
def in_engine(game: str, setup: str) -> Iterator[Callable[[], None]]:
    """Watch a thread that uses the engine of a game outside of a match.

    Yields what it calls after each action.

    Raises:
        MatchVoid: the engine took too long for one position.
        OSError: this machine has no process left for a thread.
    """
    heartbeat = Heartbeat()
    heartbeat.begin(setup)
    heartbeat.doing = ENGINE

    def acted() -> None:
        heartbeat.decisions += 1

    try:
        with watched(heartbeat):
            yield acted
    except EngineHangs:
        raise MatchVoid(engine_hangs(game, heartbeat)) from None


def _watch(heartbeat: Heartbeat, thread: int, done: threading.Event) -> None:
    silence, known = Silence(), 0
    while not done.wait(LOOK_SECONDS):
        finding = silence.look(time.monotonic(), heartbeat)
        if finding in (Hang.HELD, Hang.STUCK):
            mark = heartbeat.doing
            if mark != known:
                known = mark
                log.warning("process %s holds its own pipe and is killed", pid_of(mark))
            end_tree(pid_of(mark))
        elif finding is Hang.ENGINE:
            silence.end()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread), ctypes.py_object(EngineHangs)
            )
