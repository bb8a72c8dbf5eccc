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
from collections.abc import Iterator
from contextlib import contextmanager

from arena.machine.heartbeat import Heartbeat, pid_of
from arena.process.silence import LOOK_SECONDS, Hang, Silence
from arena.process.stop_all import end_tree

__all__ = ["EngineHangs", "watched"]

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
