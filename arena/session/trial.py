"""A short program run at a level, exactly as bots are: what probes and builds see of it.

It is watched as bots are, too: one that holds more than its memory is stopped.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import NamedTuple

from arena.process.bot import BotProcess, become_subreaper, children, kill_strays
from arena.process.capture import Capture
from arena.sandbox.interface import Launch
from arena.session.guard import Guard

__all__ = ["Trial", "run_trial"]

CHUNK = 1 << 16
LOOK_SECONDS = 0.1  # between questions whether to stop
LAST_WORD_MS = 500  # for bubblewrap to tell how it ended
LAST_CHUNKS = 2  # of what is left in a pipe; its room is one chunk


class Trial(NamedTuple):
    """How a program's run ended.

    Attributes:
        out, err: what it wrote, as text; of more than 128 KiB the beginning and the end.
        code: its exit code, negative for a signal; ``None`` if it had to be stopped.
        stopped: why it was stopped before its time was over, or what it had too much of when it
            ended; empty if neither.
        ran: was the program itself started? Otherwise ``err`` is the isolation's complaint.
    """

    out: str
    err: str
    code: int | None
    ran: bool
    stopped: str = ""


def run_trial(how: Launch, seconds: float, stop: Callable[[], str | None] = lambda: None) -> Trial:
    """Run a program to its end, or for so many seconds; nothing of it is left afterwards.

    It is stopped when it holds more than its memory, with all its processes.

    Args:
        how: from a level; used up by this.
        seconds: the longest it may take.
        stop: asked every now and then; says why it is to be stopped, if it is.

    Raises:
        LaunchError: it cannot be executed at all.
        OSError: this machine has no process or descriptor left.
    """
    become_subreaper()
    spare = children()
    process = BotProcess(how)
    try:
        process.close_stdin()
        guard = Guard(process, how.memory_bytes, ponder=True)
        streams = {process.stdout: Capture(), process.stderr: Capture()}
        out, err = streams.values()
        deadline = time.monotonic() + seconds
        poll = select.poll()
        for descriptor in (*streams, process.pidfd):
            poll.register(descriptor, select.POLLIN)
        ended = False
        why: str | None = None
        while not ended and why is None and (left := deadline - time.monotonic()) > 0:
            events = {descriptor for descriptor, _ in poll.poll(min(left, LOOK_SECONDS) * 1000)}
            excess = guard.look(time.monotonic_ns())
            why = stop() if excess is None else excess.detail
            ended = process.pidfd in events
            for descriptor in events & streams.keys():
                if not _read(descriptor, streams[descriptor]):
                    poll.unregister(descriptor)
        for descriptor, capture in streams.items():
            for _ in range(LAST_CHUNKS):
                if not _read(descriptor, capture):
                    break
        ran = process.tree.ran(LAST_WORD_MS) if ended else True
        code = process.exit_code() if ended else None
        # one that succeeds may have used nearly all of its memory
        if ended and (code != 0 or guard.ended_by_group()):
            excess = guard.why_it_ended()
            why = why if excess is None else excess.detail
        return Trial(out.text(), err.text(), code, ran, why or "")
    finally:
        process.kill()
        kill_strays(spare)


def _read(descriptor: int, capture: Capture) -> bool:
    """Read once; returns whether there may be more, now or later."""
    try:
        data = os.read(descriptor, CHUNK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    capture.add(data)
    return bool(data)
