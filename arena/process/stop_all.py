"""Ending children of a process, also those that multiply or are others at each look.

To kill a fork bomb one by one makes room for the next. What is stopped does not fork, and
keeps its place among the processes that its user may have. What forks and ends, again and again, is
gone before it can be stopped: there only being quick helps, from the look to the kill.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice

from arena.machine import procfs
from arena.machine.procfs import children_of

SWEEP_SECONDS = 2.0  # after which a sweep ends, counted from when it found the last new one
END_SECONDS = 10.0  # that we wait for the end of one that was killed; a lot of memory takes seconds
BUSY_TIMES = 15  # so many times as long it takes in all while new ones appear: they take our CPU
QUICK_SWEEPS = 8  # so many, then one that stops all before it kills them
MOST_BELOW = 10_000  # processes that one look at a tree goes through, which may grow meanwhile
PAUSE_SECONDS = 0.0005  # while nothing comes but the end of what was killed
_AT_REST = (b"T", b"t", *procfs.DEAD)  # stopped, traced, dead: it does nothing
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER

not_ended = set[int]()  # the processes that outlived ``end_all``


def become_subreaper() -> None:
    """Have orphans of this process's descendants become its own children (Linux)."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def end_all(
    parent: int, staying: Collection[int] = (), reap: Callable[[int], object] | None = None
) -> int:
    """Kill the children of a process, and whatever they leave behind, until there are no more.

    Args:
        parent: the process; it adopts orphans.
        staying: children that stay.
        reap: has it wait for a child that may have ended; says nothing if that goes on. Left out:
            it does so by itself, or ends itself.

    Returns:
        How many were killed.
    """
    begun = time.monotonic()
    deadline, last = begun + SWEEP_SECONDS, begun + BUSY_TIMES * SWEEP_SECONDS
    killed, dying, sweep = 0, set[int](), 0
    while True:
        found, dead = set[int](), list[int]()
        for pid in reversed(children(parent)):  # the youngest first: it may be gone soon
            if pid in staying:
                continue
            if procfs.is_dead(pid):
                dead.append(pid)
                continue
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                found.add(pid)
        new, now = found - dying, time.monotonic()
        killed, dying = killed + len(new), found
        if new:
            deadline = min(now + SWEEP_SECONDS, last)
        if not found:
            # not before: a dead one holds a place that another could be forked into
            if any([reap(pid) for pid in dead] if reap else ()):
                continue
            return killed
        if now > deadline:
            not_ended.update(found)
            return killed
        sweep += 1
        if new and sweep % QUICK_SWEEPS == 0:
            _freeze_and_kill(parent, dying, last)
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


def children(parent: int) -> list[int]:
    """Return the children of a process of one thread, zombies and adopted ones included, by age."""
    try:
        return procfs.children_of_thread(parent, parent)
    except FileNotFoundError:
        return procfs.children_by_scan(parent)


def wait_for_end(pid: int, seconds: float) -> None:
    """Wait for a process's end, at most so long; for an instant if no descriptor is left."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        time.sleep(PAUSE_SECONDS)
        return
    try:
        is_readable(descriptor, seconds)
    finally:
        os.close(descriptor)


def is_readable(descriptor: int, seconds: float) -> bool:
    """Return whether a pipe can be read or a process has ended, waiting at most so long."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def _freeze_and_kill(parent: int, tops: Iterable[int], deadline: float) -> None:
    """Stop some of a process's children and all below them, then kill them all.

    Those on top stay as dead children, to be waited for; what was below them comes after.

    Args:
        parent: the process.
        tops: children of it that it has not waited for.
        deadline: of ``time.monotonic()``; what still moves then is killed as it is.
    """
    tops = tuple(tops)
    moving = True
    while moving and time.monotonic() < deadline:
        moving = False
        for pid, above in _below(parent, tops):
            if _state(pid, above) not in _AT_REST:
                moving = True
                _send(pid, above, signal.SIGSTOP)
    # those below first: a parent's death could wake its stopped children
    for pid, above in reversed(tuple(_below(parent, tops))):
        _send(pid, above, signal.SIGKILL)


def _below(parent: int, pids: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield process ids with their parents', parents before their children."""
    found = [(pid, parent) for pid in pids]
    while found:
        pid, above = found.pop()
        yield pid, above
        found += [(child, pid) for child in children_of(pid)]


def signal_name(number: int) -> str:
    """Return the name of a signal; empty if it has none."""
    return signal.Signals(number).name if number in {*signal.Signals} else ""


def signal_if(is_it: Callable[[int], bool], pid: int, number: int) -> None:
    """Send a signal to a process if it is the one that is meant.

    Its id may have become another's meanwhile: the descriptor holds on to one process, and only
    then it is asked who that is.
    """
    with contextlib.suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if is_it(pid):
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)


def _send(pid: int, parent: int, number: int) -> None:
    """Send a signal to a process if it is still the child of that parent."""
    signal_if(lambda pid: _state(pid, parent) != b"X", pid, number)


def _state(pid: int, parent: int) -> bytes:
    """Return a process's state, ``X`` if there is none of that parent."""
    try:
        state, above, *_ = procfs.stat(pid)
    except (OSError, ValueError):
        return b"X"
    return state if int(above) == parent else b"X"
