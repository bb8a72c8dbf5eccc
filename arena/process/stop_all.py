"""Ending children of this process, also those that multiply or are others at each look.

To kill a fork bomb one by one makes room for the next. What is stopped does not fork, and
keeps its place among the processes that its user may have. What forks and ends, again and again, is
gone before it can be stopped: there only being quick helps, from the look to the kill.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from arena.machine import procfs
from arena.machine.procfs import children_of

__all__ = ["END_SECONDS", "ChildEnd", "end_all", "end_tree", "ends", "reap"]

END_SECONDS = 10.0  # that we wait for the end of one that was killed; a lot of memory takes seconds
BUSY_TIMES = 15  # the limit is this many times longer while new ones appear: they take our CPU
QUICK_SWEEPS = 8  # so many, then one that stops all before it kills them
MOST_BELOW = 10_000  # processes that one look at a tree goes through, which may grow meanwhile
PAUSE_SECONDS = 0.0005  # while nothing comes but the end of what was killed
_AT_REST = (b"T", b"t", b"Z", b"X")  # stopped, traced, dead: it does nothing


def end_all(find: Callable[[], Iterable[int]], seconds: float) -> tuple[int, bool]:
    """Kill and reap children of this process until none is found any more.

    Args:
        find: finds them, the youngest first: each is killed before the next is looked at.
        seconds: the limit, counted from when the last new one was found; ``BUSY_TIMES`` as many
            seconds is the limit in all.

    Returns:
        How many were killed, and whether none is left.
    """
    begun = time.monotonic()
    deadline, last = begun + seconds, begun + BUSY_TIMES * seconds
    killed, dying, sweep = 0, set[int](), 0
    while True:
        found = []
        for pid in find():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                found.append(pid)
        if not found:  # what is left may not be killed by us
            return killed, not any(find())
        gone = {pid for pid in found if reap(pid, 0) is not None}
        killed += len(gone)
        new, dying = not dying.issuperset(found), {*found} - gone
        now = time.monotonic()
        if new:
            deadline = min(now + seconds, last)
        if now > deadline:
            return killed, False
        sweep += 1
        if new and sweep % QUICK_SWEEPS == 0:
            _freeze_and_kill(dying, last)
        elif not new:
            time.sleep(PAUSE_SECONDS)


def end_tree(pid: int, known_ns: int) -> None:
    """Kill a process, its group and all below it; it need be no child of this process.

    Nothing is done if it is younger than what named it: somebody else has its id by now.

    Args:
        pid: its id.
        known_ns: when it was known to live, in ns of the monotonic clock.
    """
    asleep_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
    with contextlib.suppress(OSError, ValueError):
        stat = procfs.stat(pid)
        if int(stat[procfs.START]) * procfs.TICK_NS > known_ns + asleep_ns:
            return
        parent = int(stat[procfs.PARENT])
        below = islice(_below(parent, [pid]), MOST_BELOW)
        for one, above in reversed(tuple(below)):
            if one != pid:
                _send(one, above, signal.SIGKILL)
        # it goes last: while it is there, its id is that of its group, and nobody else's
        if _state(pid, parent) != b"X" and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        _send(pid, parent, signal.SIGKILL)


class ChildEnd(NamedTuple):
    """How a child ended.

    Attributes:
        code: its exit code, negative for a signal; ``None``: somebody else has waited for it.
        peak_bytes: the most that a process of it has held at a time, or one that it had waited for.
    """

    code: int | None
    peak_bytes: int = 0


def reap(pid: int, seconds: float = END_SECONDS) -> ChildEnd | None:
    """Wait for a child's end, at most so long: in the kernel a process may outlive its SIGKILL.

    ``None``: it goes on.
    """
    try:
        if seconds:
            _wait_for_end(pid, seconds)
        found, status, used = os.wait4(pid, os.WNOHANG)
    except ChildProcessError:
        return ChildEnd(None)
    return ChildEnd(os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024) if found else None


def _wait_for_end(pid: int, seconds: float) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:  # no descriptor is left, so that there is nothing that could be waited for less
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        return
    try:
        ends(descriptor, seconds)
    finally:
        os.close(descriptor)


def ends(pidfd: int, seconds: float) -> bool:
    """Return whether a process has ended, waiting for that at most so long."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def _freeze_and_kill(tops: Iterable[int], deadline: float) -> None:
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
