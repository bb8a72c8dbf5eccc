"""Ending processes that multiply: all of them are stopped before the first is killed.

Whoever kills a fork bomb one by one makes room for the next. What is stopped does not fork, and
keeps its place among the processes that its user may have.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Iterator

from arena import procfs
from arena.procfs import children_of

__all__ = ["freeze_and_kill"]

_AT_REST = (b"T", b"t", b"Z", b"X")  # stopped, traced, dead: it does nothing


def freeze_and_kill(tops: Iterable[int], deadline: float) -> None:
    """Stop some of this process's children and all below them, then kill them all.

    Those on top stay as dead children, to be waited for; what was below them comes after.

    Args:
        tops: children of this process that it has not waited for.
        deadline: of ``time.monotonic()``; what still moves then is killed as it is.
    """
    tops = tuple(tops)
    moving = True
    while moving and time.monotonic() < deadline:
        moving = False
        for pid, parent in _below(os.getpid(), tops):
            if _state(pid, parent) not in _AT_REST:
                moving = True
                _send(pid, parent, signal.SIGSTOP)
    # those below first: a parent's death could wake its stopped children
    for pid, parent in reversed(tuple(_below(os.getpid(), tops))):
        _send(pid, parent, signal.SIGKILL)


def _below(parent: int, pids: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield process ids with their parents', parents before their children."""
    found = [(pid, parent) for pid in pids]
    while found:
        pid, above = found.pop()
        yield pid, above
        found += [(child, pid) for child in children_of(pid)]


def _send(pid: int, parent: int, number: int) -> None:
    """Send a signal to a process if it is still the child of that parent.

    Its id may have become another's meanwhile: the descriptor holds on to one process, and only
    then it is asked who that is.
    """
    with contextlib.suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if _state(pid, parent) != b"X":
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)


def _state(pid: int, parent: int) -> bytes:
    """Return a process's state, ``X`` if there is none of that parent."""
    try:
        state, above, *_ = procfs.stat(pid)
    except (OSError, ValueError):
        return b"X"
    return state if int(above) == parent else b"X"
