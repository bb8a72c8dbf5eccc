"""A thread that watches its own process while that plays or builds: it starts nothing.

A worker is watched by the runner. Elsewhere the process that plays is the one that was typed, and
this thread does the same there as far as a thread can.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.machine import procfs
from arena.machine.heartbeat import Heartbeat, pid_of
from arena.process.launcher import unknown_here
from arena.process.silence import LOOK_SECONDS, Hang, Silence
from arena.process.stop_all import end_tree

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
    done, orphans = threading.Event(), unknown_here()
    thread, task = threading.get_ident(), threading.get_native_id()

    def watch() -> None:
        silence, known = Silence(), 0
        while not done.wait(LOOK_SECONDS):
            try:
                text = procfs.read(os.getpid(), f"task/{task}/stat")
            except OSError:
                continue
            state = text.rpartition(b")")[2].split()[0]
            finding = silence.look(time.monotonic(), heartbeat, state)
            if finding in (Hang.HELD, Hang.STUCK):
                pid = pid_of(silence.doing)
                if silence.doing != known:
                    known = silence.doing
                    log.warning("process %s holds its own pipe and is killed", pid)
                end_tree(pid, heartbeat.since_ns)
                if finding is Hang.STUCK:  # somebody who has left the bot's tree holds it
                    for orphan in orphans():
                        end_tree(orphan, time.monotonic_ns())
            elif finding is Hang.ENGINE:
                silence.end()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(EngineHangs)
                )

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        try:
            watcher.start()
        except RuntimeError as error:
            raise OSError(errno.EAGAIN, str(error)) from error
        yield
    finally:
        done.set()
        if watcher.ident is not None:
            watcher.join()
