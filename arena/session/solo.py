"""One bot by itself: blocks are written to it, what it answers is judged and timed.

No match is played. Whatever it answers, or fails to, it can be asked the next question for as long
as it lives. So this judges by the same functions as the referee, and drops nobody.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable

from arena.match import protocol, verdicts
from arena.match.clock import more_time
from arena.match.lines import Flood
from arena.match.protocol import Error, Info, Log, Malformed, Play, Ready, Resign
from arena.match.verdicts import Verdict
from arena.model import Cause, Clock, Termination
from arena.process.bot import LOOK_NS, BotProcess, become_subreaper, children, kill_strays
from arena.process.capture import Capture
from arena.process.launcher import dismiss_launcher
from arena.said import Source
from arena.sandbox.interface import Launch
from arena.session.guard import Guard
from arena.session.parting import dismiss
from arena.session.pool import QUIT_MS
from arena.session.straight import WRITE_GRACE_NS

__all__ = ["Solo"]

DAY_MS = 24 * 3_600_000  # to leave, where no limit counts


class Echo(Capture):
    """What a bot writes to stderr and by ``log``, handed on line by line as it comes."""

    __slots__ = ("_begun", "_say")

    def __init__(self, say: Callable[[bytes], None]) -> None:
        super().__init__()
        self._say = say
        self._begun = b""

    def add(self, data: bytes, source: Source = Source.STDERR) -> None:
        """Take some bytes, and hand on the lines that are complete."""
        super().add(data, source)
        if source is not Source.STDERR:
            self.flush()  # a line by `log` is whole, and no end of what stderr has begun
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._say(line)

    def flush(self) -> None:
        """Hand on a line that is not complete."""
        if self._begun:
            self._say(self._begun)
            self._begun = b""


class Solo:
    """A bot's process, asked one question after the other.

    Attributes:
        gone: has it ended, so that it can be asked no more?
    """

    def __init__(
        self,
        how: Launch,
        limits: Clock | None,
        memory_bytes: int | None,
        say: Callable[[bytes], None],
    ) -> None:
        """Start it.

        Args:
            how: from a level; used up by this.
            limits: its clock; ``None``: no limit counts, nor does what it holds.
            memory_bytes: what it may hold.
            say: takes each line that it writes to stderr or by ``log``, as it comes.

        Raises:
            LaunchError: it cannot be executed.
            OSError: this machine has no process or descriptor left for it.
        """
        become_subreaper()
        self._spare = children()
        self._bot = BotProcess(how)
        self._echo = Echo(say)
        self._bot.capture = self._echo
        self._limits = limits
        self._guard = Guard(self._bot, None if limits is None else memory_bytes, ponder=True)
        self._ended = False
        self._killed = False
        self.gone = False

    # what it is asked

    def greet(self) -> Ready | Verdict:
        """Greet it; return what it says, or why it is not ready.

        Raises:
            MatchVoid: it could not be isolated.
        """
        start = time.monotonic_ns()
        self._bot.write(protocol.HELLO)
        start_ms = None if self._limits is None else self._limits.start_ms
        while True:
            raw = self._next_line(start, start_ms, started=False)
            if raw is None:
                assert start_ms is not None
                self.gone = True
                return verdicts.never_ready(start_ms, self._bot.lines.partial)
            if isinstance(raw, Verdict):
                return raw
            heard = self._judge(raw)
            if isinstance(heard, Ready):
                return heard
            if isinstance(heard, Play):
                heard = Verdict(
                    Termination.STARTUP, f'expected "ready" before {protocol.quote(raw)}'
                )
            if isinstance(heard, Verdict):
                self.gone = True
                return heard._replace(code=Termination.STARTUP)

    def unasked(self) -> list[Verdict]:
        """Return what was wrong with what it wrote since its last answer."""
        bot = self._bot
        wrong: list[Verdict] = []
        try:
            while True:
                while (raw := bot.lines.take()) is not None:
                    heard = self._judge(raw)
                    if isinstance(heard, Play) and heard.decision is None:
                        detail = f"a play that nobody asked for: {protocol.quote(heard.action)}"
                        wrong.append(Verdict(Termination.PROTOCOL, detail, Cause.UNASKED))
                    elif isinstance(heard, Verdict):
                        wrong.append(heard)
                if not bot.stdout_open or not bot.read():
                    return wrong
        except Flood as error:
            return [*wrong, self._final(verdicts.flooded(error, ready=True))]

    def ask(self, block: bytes, number: int, limit_ms: int) -> str | Verdict:
        """Ask it for a decision; return the action that it plays, or what was wrong.

        Args:
            block: what is written to it.
            number: of the decision.
            limit_ms: for its answer.
        """
        bot, guard = self._bot, self._guard
        bot.lines.next_decision()
        offered = time.monotonic_ns()
        guard.ask(offered)
        whole = bot.write(block)
        start = time.monotonic_ns() if whole else offered + WRITE_GRACE_NS
        guard.thinks()
        margin_ms = 0 if self._limits is None else self._limits.margin_ms
        patience_ms = None if self._limits is None else limit_ms + margin_ms
        try:
            while True:
                raw = self._next_line(start, patience_ms, started=True)
                now = time.monotonic_ns()
                spent = guard.spent(now - start, now)
                if raw is None:
                    more_ms = more_time(limit_ms, spent, cores=len(os.sched_getaffinity(0)))
                    if more_ms is None:
                        return verdicts.silent(limit_ms, spent, *self._silence())
                    patience_ms = int(spent.wall_ms + more_ms) + 1
                    continue
                heard = raw if isinstance(raw, Verdict) else self._judge(raw)
                if isinstance(heard, Verdict):
                    return heard
                if isinstance(heard, Play) and heard.decision in (None, number):
                    late = spent.charged_ms > limit_ms
                    if patience_ms is not None and late and spent.wall_ms > limit_ms + margin_ms:
                        return verdicts.silent(limit_ms, spent, None)
                    return heard.action
        finally:
            self._echo.flush()

    def leave(self, block: bytes, waits: Callable[[], None]) -> None:
        """Have it leave; nothing of it is left.

        Args:
            block: the last lines, all but ``quit``.
            waits: called once if it takes its time, where no limit counts.
        """
        if self.gone:
            return
        self.gone = self._killed = True
        self._bot.write(block)
        if self._limits is not None:
            dismiss([self._guard], QUIT_MS)
            return
        due = [time.monotonic_ns() + QUIT_MS * 1_000_000]

        def look(now: int) -> None:
            if due and now >= due[0]:
                due.clear()
                waits()

        dismiss([self._guard], DAY_MS, look)

    def close(self) -> None:
        """End it, with all that it has started."""
        if not self._killed:
            self._bot.kill()
        self._echo.flush()
        kill_strays(self._spare)
        dismiss_launcher()

    # what it says

    def _judge(self, raw: bytes) -> Ready | Play | Verdict | None:
        """Read a line; ``None`` if it is neither an answer nor wrong."""
        try:
            message = protocol.parse(raw)
        except Malformed as error:
            return Verdict(Termination.PROTOCOL, str(error), error.cause)
        if isinstance(message, Log):
            self._echo.add_line(message.text, Source.LOG)
        elif isinstance(message, Resign):
            return Verdict(Termination.RESIGN, "it gives up")
        elif isinstance(message, Error):
            return verdicts.gave_up(message)
        elif isinstance(message, Ready | Play):
            return message
        else:
            assert message is None or isinstance(message, Info | protocol.Unknown)
        return None

    def _silence(self) -> tuple[Cause, bytes]:
        partial = self._bot.lines.partial
        cause = Cause.UNREAD if self._bot.unwritten else Cause.SILENT
        return Cause.UNFINISHED if partial else cause, partial

    def _next_line(
        self, start: int, patience_ms: int | None, *, started: bool
    ) -> bytes | Verdict | None:
        """Wait for the next line; return why there is none, or ``None`` if the time is up."""
        bot = self._bot
        while True:
            try:
                raw = bot.lines.take()
            except Flood as error:
                return self._final(verdicts.flooded(error, ready=started))
            if raw is not None:
                return raw
            if self._ended:
                return self._final(self._how_it_ended(started=started))
            left_ns = LOOK_NS
            if patience_ms is not None:
                left_ns = min(left_ns, start + patience_ms * 1_000_000 - time.monotonic_ns())
                if left_ns <= 0:
                    return None
            self._listen(left_ns)
            excess = self._guard.look(time.monotonic_ns())
            if excess is not None:
                return self._final(excess)
            if (flood := bot.stderr_flood()) is not None:
                return self._final(verdicts.flooded(flood, ready=started))

    def _listen(self, ns: int) -> None:
        """Wait for something to happen, for so long at most, and take it in."""
        bot = self._bot
        poll = select.poll()
        for descriptor, is_open in (
            (bot.stdout, bot.stdout_open),
            (bot.stderr, bot.stderr_open),
            (bot.pidfd, True),
        ):
            if is_open:
                poll.register(descriptor, select.POLLIN)
        if bot.unwritten and bot.stdin >= 0:
            poll.register(bot.stdin, select.POLLOUT)
        ready = {descriptor for descriptor, _ in poll.poll(ns / 1e6)}
        if bot.stdin in ready:
            bot.write(b"")
        if bot.stderr in ready:
            bot.read_stderr()
        if bot.stdout in ready:
            bot.read()
        if not bot.stdout_open or bot.pidfd in ready:
            while bot.stdout_open and not bot.lines.too_much() and bot.read():
                pass
            while bot.stderr_open and bot.read_stderr():
                pass
            self._ended = True

    def _how_it_ended(self, *, started: bool) -> Verdict:
        excess = self._guard.why_it_ended(guessed=started)
        if excess is not None:
            return excess
        self._guard.check_isolation(started=started)
        bot = self._bot
        return verdicts.ended(
            bot.how_it_ended(), bot.why_it_ended(), bot.lines.partial, ready=started
        )

    def _final(self, verdict: Verdict) -> Verdict:
        """Return a verdict after which it is asked no more."""
        self.gone = True
        return verdict
