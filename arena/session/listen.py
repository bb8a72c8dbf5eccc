"""The loop that hears bots out: until each has answered or failed, or its time is up.

One poll over everybody who is expected to say something. No output moves a deadline. How late we
are ourselves is measured, so that it is nobody's fault, and where nobody was listening at all (the
machine was suspended, or this process stopped) the match is void.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from arena.errors import MatchVoid
from arena.match.lines import Flood
from arena.process.bot import LOOK_NS, BotProcess
from arena.process.meter import OwnMeter
from arena.session.guard import Excess

__all__ = ["Ears", "Listener", "RunnerGone"]

QUICK_MS = 1  # a bot that answers within this is not looked at closely
LOOK_MS = LOOK_NS // 1_000_000
GAP_NS = 250_000_000  # the loop may be so much later than it should without a reason

Look = Callable[[int], Iterable[tuple[int, Excess]]]


class RunnerGone(BaseException):
    """The process that wanted this match is gone: stop the bots and end."""


class Ears(Protocol):
    """Who judges what is heard. ``now`` is ns of the monotonic clock."""

    def line(self, player: int, raw: bytes, now: int) -> bool:
        """Judge a line; returns whether it settled the player."""
        ...

    def thinks(self, player: int) -> None:
        """Take note that a player did not answer at once."""
        ...

    def closed(self, player: int, now: int) -> None:
        """Judge the end of a player's output."""
        ...

    def expired(self, player: int, now: int) -> int | None:
        """Judge a player whose deadline has passed; returns another one, if it moves."""
        ...

    def flooded(self, player: int, detail: str, now: int) -> None:
        """Judge a player that wrote too much."""
        ...

    def exceeded(self, player: int, excess: Excess, now: int) -> None:
        """Judge a player that was killed for what it used."""
        ...


class Listener:
    """Listens to the bots of one match.

    Attributes:
        starts: when each player's clock started, in ns.
        late_ns: for how long, at most, what we hear now had been there before we heard it: while
            we were at work, or in the queue for a CPU.
        look_at: when to look at the table next, in ns.
    """

    def __init__(
        self,
        bots: Mapping[int, BotProcess],
        own: OwnMeter,
        lifeline: int | None,
        look: Look,
        *,
        hurried: bool,
    ) -> None:
        """Prepare to listen.

        Args:
            bots: the processes at the table; may change between two calls.
            own: the meter of our own thread.
            lifeline: a descriptor whose hang-up means that nobody waits for the match any more.
            look: called at least every 100 ms while we wait; tells whom it has killed, and why.
            hurried: is the match void if nobody listened for a while?
        """
        self.starts: dict[int, int] = {}
        self.late_ns = 0
        self._bots = bots
        self._lifeline = lifeline
        self._look = look
        self._hurried = hurried
        self._polls: dict[tuple[int, ...], select.poll] = {}
        self.look_at = time.monotonic_ns() + LOOK_NS
        self._own = own
        self._used = self._own.read()
        # a reading is too small if we are interrupted in its midst
        self._suspended_ns = max(_suspended_ns() for _ in range(3))

    def forget(self) -> None:
        """Forget what was prepared for polls: descriptors have changed."""
        self._polls.clear()

    def hear_out(self, deadlines: dict[int, int], ears: Ears, since: int) -> None:
        """Hear out every player with a deadline until each is settled.

        Output counts in the order it was written, data before the end of the stream, and what was
        there at the deadline.

        Args:
            deadlines: for each player, in ns.
            ears: who judges.
            since: when the first of them was asked.

        Raises:
            RunnerGone: the lifeline hung up.
            MatchVoid: there was a gap in our own time.
        """
        quick = True
        last = since
        while deadlines:
            players = tuple(deadlines)
            left_ns = min(deadlines.values()) - time.monotonic_ns()
            writing = any(self._bots[player].unwritten for player in players)
            poll = (None if writing else self._polls.get(players)) or self._poll(players)
            timeout = min(QUICK_MS if quick else LOOK_MS, max(0, -(-left_ns // 1_000_000)))
            events = poll.poll(timeout)
            now = time.monotonic_ns()
            unseen_ns = now - last - timeout * 1_000_000  # the poll itself would have woken us
            if unseen_ns > GAP_NS:
                self._mind_the_gap(unseen_ns)
            if not quick:
                before, self._used = self._used, self._own.read()
                self.late_ns = sum(self._used) - sum(before)
            else:
                self.late_ns = max(0, unseen_ns)
                if not events:
                    self._used = self._own.read()
            last = now
            ready = {fd for fd, _ in events}
            if self._lifeline in ready:
                raise RunnerGone
            for player in players:
                if not ready.isdisjoint(self._bots[player].descriptors) and self._attend(
                    player, ready, deadlines, ears, now
                ):
                    del deadlines[player]
            if now >= self.look_at:
                self._look_around(deadlines, ears, now)
            if deadlines:
                for player in [p for p, deadline in deadlines.items() if now >= deadline]:
                    moved = ears.expired(player, now)
                    if moved is None:
                        del deadlines[player]
                    else:
                        deadlines[player] = moved
            if quick and deadlines:
                quick = False
                if events:
                    self._used = self._own.read()
                for player in deadlines:
                    ears.thinks(player)

    def _attend(
        self, player: int, ready: set[int], deadlines: dict[int, int], ears: Ears, now: int
    ) -> bool:
        """Write to and read from a bot as far as it is ready; whether that settled the player."""
        bot = self._bots[player]
        if bot.unwritten and bot.write(b"") and now < self.starts.get(player, 0):
            deadlines[player] += now - self.starts[player]
            self.starts[player] = now
        if bot.stderr in ready and not bot.read_stderr() and not bot.stderr_open:
            self._polls.clear()
        try:
            if bot.stdout in ready and _hear(player, bot, ears, now):
                return True
            bot.check_stderr()
            if not bot.stdout_open or bot.pidfd in ready:
                while bot.stdout_open and bot.read():
                    if _judge(player, bot, ears, now):
                        return True
                ears.closed(player, now)
                return True
        except Flood as error:
            ears.flooded(player, str(error), now)
            return True
        return False

    def _look_around(self, deadlines: dict[int, int], ears: Ears, now: int) -> None:
        """Look at the whole table, and at ourselves."""
        for player, excess in self._look(now):
            if player in deadlines:
                ears.exceeded(player, excess, now)
                del deadlines[player]
        self._mind_suspension()
        if not deadlines:
            self._used = self._own.read()
        self.look_at = time.monotonic_ns() + LOOK_NS

    def _mind_the_gap(self, late_ns: int) -> None:
        """Void the match if more of a delay is left unexplained than may be.

        We may have been at work, or in the queue for a CPU.
        """
        self._mind_suspension()
        unexplained_ns = late_ns - (sum(self._own.read()) - sum(self._used))
        if self._hurried and unexplained_ns > GAP_NS:
            raise MatchVoid(
                f"the arena itself was stopped for {unexplained_ns / 1e9:.1f} s while a bot was"
                " asked; the match counts for nobody"
            )

    def _mind_suspension(self) -> None:
        """Void the match if this machine was suspended."""
        suspended_ns = _suspended_ns()
        if self._hurried and suspended_ns - self._suspended_ns > GAP_NS:
            raise MatchVoid(
                "this machine was suspended while a bot was asked; the match counts for nobody"
            )

    def _poll(self, players: tuple[int, ...]) -> select.poll:
        """Return a poll over these players' descriptors; kept if nobody waits to be written."""
        poll = select.poll()
        writing = False
        for player in players:
            bot = self._bots[player]
            if bot.stdout_open:
                poll.register(bot.stdout, select.POLLIN)
            if bot.stderr_open:
                poll.register(bot.stderr, select.POLLIN)
            poll.register(bot.pidfd, select.POLLIN)
            if bot.unwritten and bot.stdin >= 0:
                poll.register(bot.stdin, select.POLLOUT)
                writing = True
        if self._lifeline is not None:
            poll.register(self._lifeline, 0)
        if not writing:
            self._polls[players] = poll
        return poll


def _hear(player: int, bot: BotProcess, ears: Ears, now: int) -> bool:
    """Read once and judge the lines; whether one of them settled the player."""
    bot.read()
    return _judge(player, bot, ears, now)


def _judge(player: int, bot: BotProcess, ears: Ears, now: int) -> bool:
    while (raw := bot.lines.take()) is not None:
        if ears.line(player, raw, now):
            return True
    return False


def _suspended_ns() -> int:
    """Return for how long this machine has been suspended since it was started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
