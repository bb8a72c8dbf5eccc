"""A short program run at a level, exactly as bots are: what probes and builds see of it.

It is watched as bots are, too: one that holds more than its memory is stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

from arena.machine.heartbeat import Heartbeat
from arena.process.bot import BotProcess
from arena.process.capture import Capture
from arena.process.launcher import KILLED, end_strays
from arena.process.tree import Tree
from arena.sandbox.interface import Launch
from arena.session.guard import Guard
from arena.session.parting import wait_for_ends
from arena.session.watcher import watched
from arena.values.errors import MatchVoid

LOOK_SECONDS = 0.1  # between questions whether to stop
LAST_WORD_MS = 500  # for bubblewrap to tell how it ended
LAST_CHUNKS = 2  # of what is left in a pipe; its room is one chunk


class Trial(NamedTuple):
    """How a program's run ended.

    Attributes:
        out, err: what it wrote, as text; of more than 128 KiB the beginning and the end.
        code: its exit code, negative for a signal; ``None`` if it had to be stopped.
        stopped: why it was stopped before its time was over, or which limit it exceeded when it
            ended; empty if neither.
        ran: was the program itself started? Otherwise ``err`` is the isolation's complaint.
    """

    out: str
    err: str
    code: int | None
    ran: bool
    stopped: str = ""


def run_trial(
    how: Launch, seconds: float, stop: Callable[[Tree], str | None] = lambda tree: None
) -> Trial:
    """Run a program to its end, or for so many seconds; nothing of it is left afterwards.

    It is stopped when it holds more than its memory, with all its processes.

    Args:
        how: from a level; used up by this.
        seconds: the longest it may take.
        stop: asked every now and then about its processes; says why it is to be stopped, if it is.

    Raises:
        LaunchError: it cannot be executed at all.
        MatchVoid: what starts programs was killed.
        OSError: this machine has no process or descriptor left.
    """
    program = _TrialProcess(how)
    program.heartbeat = Heartbeat()
    with ExitStack() as ends:
        ends.callback(end_strays)
        ends.callback(program.kill)
        ends.enter_context(watched(program.heartbeat))
        program.close_stdin()
        guard = Guard(program, ponder=True)
        deadline = time.monotonic() + seconds
        why: str | None = None
        while why is None and (left := deadline - time.monotonic()) > 0:
            if not wait_for_ends([guard], min(left, LOOK_SECONDS) * 1000):
                break
            why = stop(program.tree)
        ended = program.excess is None and program.has_exited()
        program.drain()
        if ended and program.lost():
            raise MatchVoid(KILLED)
        ran = program.tree.ran(LAST_WORD_MS) if ended else True
        code = program.exit_code() if ended else None
        # one that succeeds may have used nearly all of its memory
        if program.excess or (ended and (code != 0 or guard.holds.ended_by_group())):
            excess = guard.holds.why_it_ended()
            why = why if excess is None else excess.detail
        return Trial(program.out.text(), program.capture.text(), code, ran, why or "")


class _TrialProcess(BotProcess):
    """A process whose output is any text, and not lines."""

    def __init__(self, how: Launch) -> None:
        self.out = Capture()
        super().__init__(how)

    def read(self) -> bool:
        """Read once from stdout; returns whether there may be more at once."""
        data = self._read_from(self.stdout)
        if data:
            self.out.add(data)
        elif data is not None:
            self.stdout_open = False
        return bool(data)

    def over_caps(self) -> bool:
        """Return whether it wrote too much: it may write any amount, most of which is lost."""
        return False

    def drain(self) -> None:
        """Read what is left in the pipes, which others may go on to fill."""
        for _ in range(LAST_CHUNKS):
            if self.stdout_open:
                self.read()
            if self.stderr_open:
                self.read_stderr()
