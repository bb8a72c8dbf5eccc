"""A conversation with one bot process, line by line, that keeps a transcript of who said what."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Iterator
from enum import Enum

from arena import procfs
from arena.check.steps import Line
from arena.match.lines import Flood
from arena.model import Seat
from arena.process.bot import LOOK_NS, BotProcess, become_subreaper, children, kill_strays, strays
from arena.session.guard import Guard
from arena.session.launch import launch
from arena.untrusted import show

__all__ = ["Hush", "Talk"]

KEPT = 40  # lines of the transcript
WIDTH = 120  # characters of a line of it
LAST_WORDS_S = 0.5
STRAYS_S = 0.2  # what a bot has started may end this long after it
MAX_STDERR_READS = 64  # chunks of what it wrote before it fell silent


class Hush(Enum):
    """Why no line came: its time was up, or the bot's output has ended."""

    EXPIRED = "expired"
    CLOSED = "closed"


class Talk:
    """One bot process and what was said; leaving the ``with`` block leaves nothing running."""

    def __init__(self, seat: Seat, sandbox: str) -> None:
        """Prepare to talk with the bot of a seat, at a level of isolation."""
        become_subreaper()
        self._seat = seat
        self._sandbox = sandbox
        self._bot: BotProcess | None = None
        self._guard: Guard | None = None
        self._spare = children()
        self._lines: deque[Line] = deque(maxlen=KEPT)
        self._last = ("", "")  # what was said last, and how many times in a row
        self._times = 0
        self._exited = False  # and all that it wrote was read
        self._told_end = False
        self._begin = time.monotonic()

    def start(self) -> None:
        """Start the bot.

        Raises:
            LaunchError: it cannot be executed.
        """
        self._begin = time.monotonic()
        self._bot = BotProcess(launch(self._seat, self._sandbox))
        self._guard = Guard(self._bot, self._seat.memory_bytes, ponder=True)

    @property
    def bot(self) -> BotProcess:
        """The process; there is none before ``start``."""
        assert self._bot is not None
        return self._bot

    @property
    def guard(self) -> Guard:
        """What watches the process; there is none before ``start``."""
        assert self._guard is not None
        return self._guard

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bot is not None:
            self._bot.kill()
        kill_strays(self._spare)

    # what was said

    def transcript(self) -> tuple[Line, ...]:
        """Return the last lines that were said."""
        return tuple(self._lines)

    def stderr(self) -> str:
        """Return the bot's last lines on stderr."""
        if self._bot is None:
            return ""
        reads = 0
        while self.bot.stderr_open and reads < MAX_STDERR_READS and self.bot.read_stderr():
            reads += 1
        return self.bot.capture.last_lines()

    def remark(self, text: str) -> None:
        """Put down something that nobody said."""
        self._put("note", text)

    def ms(self) -> float:
        """Return the milliseconds since the start."""
        return (time.monotonic() - self._begin) * 1000

    # saying and hearing

    def say(self, text: str) -> None:
        """Write whole lines as one block, and expect the bot to begin its answer again."""
        for line in text.removesuffix("\n").split("\n"):
            self._put("arena", line)
        self.bot.lines.next_decision()
        self.bot.write(text.encode("ascii"))

    def hear(self, within_ms: float) -> bytes | Hush:
        """Return the next line without its line feed, or why there is none.

        Raises:
            Flood: the bot wrote more than anyone may.
        """
        deadline = time.monotonic() + within_ms / 1000
        while True:
            raw = self.bot.lines.take()
            if raw is not None:
                self._put("bot", raw)
                return raw
            if not self.bot.stdout_open or self._exited:
                self._tell_end()
                return Hush.CLOSED
            if time.monotonic() >= deadline:
                if self.bot.tree.namespaced and self.bot.closed_stdout():
                    self._tell_end()  # in a namespace that shows in no other way
                    return Hush.CLOSED
                self.remark(f"no line within {within_ms:.0f} ms")
                return Hush.EXPIRED
            self._wait(deadline)
            self.bot.check_stderr()

    def unasked(self, settle_ms: int) -> Iterator[bytes]:
        """Yield what the bot says until it has read everything and waits, or that long.

        Raises:
            Flood: the bot wrote more than anyone may.
        """
        if self.bot.stdin >= 0:
            self.bot.settle(settle_ms)
        while True:
            while (raw := self.bot.lines.take()) is not None:
                self._put("bot", raw)
                yield raw
            if not self.bot.stdout_open or not self.bot.read():
                return

    def last_words(self) -> list[bytes]:
        """End the bot's input and return what it then says: what had stayed in its buffer."""
        self.end_input()
        words: list[bytes] = []
        deadline = time.monotonic() + LAST_WORDS_S
        with contextlib.suppress(Flood):
            while isinstance(raw := self.hear((deadline - time.monotonic()) * 1000), bytes):
                words.append(raw)
        return words

    def end_input(self) -> None:
        """Close the bot's standard input."""
        self.remark("its input was closed")
        self.bot.close_stdin()

    # leaving

    def left_within(self, limit_ms: int) -> float | None:
        """Wait for the process to end; the milliseconds that took, ``None`` if it does not.

        It is not waited for any longer once it has written more than anyone may.
        """
        begin = time.monotonic()
        deadline = begin + limit_ms / 1000
        while not self.bot.has_exited() and not self.bot.over_caps():
            if time.monotonic() >= deadline:
                break
            self._wait(deadline)
        if not self.bot.has_exited():
            if time.monotonic() >= deadline:
                self.remark(f"it is still running after {limit_ms} ms")
            return None
        took = (time.monotonic() - begin) * 1000
        self._tell_end()
        return took

    def orphans(self) -> tuple[str, ...]:
        """Return the command lines of the orphans in the bot's process namespace, if it has one.

        They end with the namespace as soon as the bot leaves, so this is the time to see them.
        """
        if not self.bot.tree.namespaced:
            return ()
        main, *others = self.bot.tree.members() or (0,)
        known = {main, *others}
        strays = [pid for pid in others if _parent(pid) not in known]
        return tuple(filter(None, map(_command_line, strays)))

    def left_running(self) -> tuple[str, ...]:
        """Return the command lines of what the bot, which has ended, left running."""
        left = strays(self._spare | {self.bot.pid})
        deadline = time.monotonic() + STRAYS_S
        names = []
        for pid in sorted(left):
            if _ends_by(pid, deadline):
                continue
            name = _command_line(pid)
            if name:
                names.append(name)
        return tuple(names)

    # inside

    def _put(self, who: str, text: str | bytes) -> None:
        line = Line(round(self.ms(), 1), who, show(text, WIDTH))
        self._times = self._times + 1 if (who, line.text) == self._last else 1
        self._last = who, line.text
        if self._times > 2:  # the first two stand as they are
            earlier = self._lines.pop()
            line = Line(earlier.ms, who, f"{line.text} … {self._times - 1} times")
        self._lines.append(line)

    def _tell_end(self) -> None:
        if self._told_end:
            return
        self._told_end = True
        if self.bot.lines.partial:
            self.remark(f'a line without its end: "{show(self.bot.lines.partial, 64)}"')
        self.remark(self.bot.how_it_ended())

    def _wait(self, deadline: float) -> None:
        """Wait for anything to happen until the deadline, a short while at most; take it in."""
        bot = self.bot
        poll = select.poll()
        if bot.stdout_open:
            poll.register(bot.stdout, select.POLLIN)
        if bot.stderr_open:
            poll.register(bot.stderr, select.POLLIN)
        if bot.unwritten and bot.stdin >= 0:
            poll.register(bot.stdin, select.POLLOUT)
        poll.register(bot.pidfd, select.POLLIN)
        left_ms = max(0.0, deadline - time.monotonic()) * 1000
        ready = {fd for fd, _ in poll.poll(min(left_ms + 1, LOOK_NS / 1e6))}
        if bot.unwritten and bot.stdin in ready:
            bot.write(b"")
        if bot.stderr in ready and bot.stderr_open:
            bot.read_stderr()
        if bot.stdout in ready and bot.stdout_open:
            bot.read()
        elif bot.pidfd in ready:
            self._exited = True
        self._look()

    def _look(self) -> None:
        """End the bot if it holds too much; it is looked at as often as in a match."""
        excess = self.guard.look(time.monotonic_ns())
        if excess is not None:
            self.bot.tree.kill()
            self.remark(f"killed: {excess.detail}")


def _ends_by(pid: int, deadline: float) -> bool:
    """Return whether a process is gone by a time; a zombie is."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return True
    try:
        left_s = max(0.0, deadline - time.monotonic())
        return bool(select.select([descriptor], [], [], left_s)[0])
    finally:
        os.close(descriptor)


def _parent(pid: int) -> int:
    try:
        return int(procfs.stat(pid)[procfs.PARENT])
    except OSError:
        return 0


def _command_line(pid: int) -> str:
    try:
        return show(b" ".join(procfs.command_line(pid, 400)), 60)
    except OSError:
        return ""
