"""The loop that hears bots out: until each has answered or failed, or its time is up.

One poll over everybody who is expected to say something. No output moves a deadline. How late we
are ourselves is measured, so that it is nobody's fault, and where nobody was listening at all (the
machine was suspended, or this process stopped) the match is void.
"""

from __future__ import annotations

import select
import time

from arena.match.clock import check_watched
from arena.match.lines import Flood
from arena.process.bot import LOOK_NS, BotProcess
from arena.session.judge import Judge, Owner
from arena.session.pool import Pool

__all__ = ["QUICK_MS", "Listener", "RunnerGone"]

Events = list[tuple[int, int]]

QUICK_MS = 1  # a bot that answers within this is not looked at closely
WATCH_MS = 25  # between looks at who computes unasked, and at who waits for a CPU
WATCH_NS = WATCH_MS * 1_000_000
MIND_NS = 100_000_000  # a shorter delay needs no explanation


class RunnerGone(BaseException):
    """The process that wanted this match is gone: stop the bots and end."""


class Listener:
    """Listens to the bots of one match.

    Attributes:
        late_ns: for how long, at most, what we hear now had been there before we heard it: while
            we were at work, or in the queue for a CPU.
        look_at: when to look at everybody next, in ns.
        lifeline: the descriptor whose hang-up means that nobody waits for the match; -1: none.
    """

    def __init__(self, judge: Judge, pool: Pool, owner: Owner | None, *, hurried: bool) -> None:
        """Prepare to listen.

        Args:
            judge: who judges what is heard, and has the bots.
            pool: whose bots are looked at meanwhile, and the meter of our own thread.
            owner: of the worker that this is.
            hurried: does it matter if nobody listened for a while?
        """
        self.late_ns = 0
        self.look_at = time.monotonic_ns() + LOOK_NS
        self._judge = judge
        self._pool = pool
        self._owner = owner
        self.lifeline = -1 if owner is None else owner.lifeline
        self._hurried = hurried
        self._polls: dict[tuple[int, ...], select.poll] = {}
        self._own = pool.own
        self._used = self._own.read()
        # a reading is too small if we are interrupted in its midst
        self._suspended_ns = max(_suspended_ns() for _ in range(3))

    def forget(self) -> None:
        """Forget what was prepared for polls: descriptors have changed."""
        self._polls.clear()

    def quiet(self) -> select.poll | None:
        """Return a poll over the output of all bots and the lifeline.

        Returns:
            ``None`` if anybody has written something that was not judged, or has to be written to.
        """
        for guard in self._judge.guards.values():
            bot = guard.bot
            if guard.excess is not None or bot.unwritten or not bot.stdout_open or bot.lines:
                return None
            bot.lines.next_decision()
        poll = self._polls.get(()) or self._poll(())
        return None if poll.poll(0) else poll

    def hear_out(
        self, deadlines: dict[int, int], since: int, heard: tuple[Events, int] | None = None
    ) -> None:
        """Hear out every player with a deadline until each is settled.

        Output counts in the order it was written, data before the end of the stream, and what was
        there at the deadline.

        Args:
            deadlines: for each player, in ns.
            since: when the first of them was asked.
            heard: what a first poll for ``QUICK_MS`` has found already, and when.

        Raises:
            RunnerGone: the lifeline hung up.
            MatchVoid: the referee says so.
        """
        guards = self._judge.guards
        quick = bool(self._judge.starts)  # who is to say that it is ready takes longer than that
        last, watch_at = since, since + WATCH_NS
        while deadlines:
            players = tuple(deadlines)
            timeout = QUICK_MS
            if heard is None:
                timeout = min(QUICK_MS if quick else WATCH_MS, _left_ms(deadlines))
                heard = self._poll_for(players).poll(timeout), time.monotonic_ns()
            (events, now), heard = heard, None
            unseen_ns = now - last - timeout * 1_000_000  # the poll itself would have woken us
            if unseen_ns > MIND_NS:
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
            if self.lifeline in ready:
                raise RunnerGone
            for player in players:
                bot = guards[player].bot
                if not ready.isdisjoint(bot.descriptors) and self._attend(
                    player, bot, ready, deadlines, now
                ):
                    del deadlines[player]
            if now >= self.look_at:
                self.look_around(deadlines, now)
            if now >= watch_at:
                self._judge.watch(now)
                watch_at = now + WATCH_NS
            self._expire(deadlines, now)
            if quick and deadlines:
                quick = False
                if events:
                    self._used = self._own.read()
                for player in deadlines:
                    self._judge.thinks(player)

    def _poll_for(self, players: tuple[int, ...]) -> select.poll:
        writing = any(self._judge.guards[player].bot.unwritten for player in players)
        return (None if writing else self._polls.get(players)) or self._poll(players)

    def _expire(self, deadlines: dict[int, int], now: int) -> None:
        """Judge those whose time is over, if any: some get more of it."""
        for player in [p for p, deadline in deadlines.items() if now >= deadline]:
            moved = self._judge.expired(player, now)
            if moved is None:
                del deadlines[player]
            else:
                deadlines[player] = moved

    def _attend(
        self,
        player: int,
        bot: BotProcess,
        ready: set[int],
        deadlines: dict[int, int],
        now: int,
    ) -> bool:
        """Write to and read from a bot as far as it is ready; whether that settled the player."""
        if bot.unwritten and bot.write(b"") and now < self._judge.starts.get(player, 0):
            deadlines[player] += now - self._judge.starts[player]
            self._judge.starts[player] = now
        if bot.stderr in ready:  # before stdout: what it said before its answer is of that one
            self.hear_words(bot)
        if bot.stdout in ready:
            bot.read()
            if self.hear(player, now):
                return True
        if (flood := bot.stderr_flood()) is not None:
            self._judge.flooded(player, flood, now)
            return True
        if not bot.stdout_open or bot.pidfd in ready:
            while bot.stdout_open and bot.read():
                if self.hear(player, now):
                    return True
            self._judge.closed(player, now)
            return True
        return False

    def hear(self, player: int, now: int) -> bool:
        """Have the lines judged that were read of a player; whether that settled it."""
        lines = self._judge.guards[player].bot.lines
        try:
            while (raw := lines.take()) is not None:
                if self._judge.line(player, raw, now, self.late_ns):
                    return True
        except Flood as error:
            self._judge.flooded(player, error, now)
            return True
        return False

    def hear_words(self, bot: BotProcess) -> None:
        """Read what a bot has written to stderr."""
        if bot.stderr_open and not bot.read_stderr() and not bot.stderr_open:
            self._polls.clear()

    def look_around(self, deadlines: dict[int, int], now: int) -> None:
        """Look at everybody, and at ourselves."""
        if self._owner is not None:
            self._owner.sign.alive = time.monotonic()
        self._pool.look(now)
        for player, excess in self._judge.look(now):
            if player in deadlines:
                self._judge.fail(player, excess, now)
                del deadlines[player]
        self._mind_suspension()
        if not deadlines:
            self._used = self._own.read()
        self.look_at = time.monotonic_ns() + LOOK_NS

    def _mind_the_gap(self, late_ns: int) -> None:
        """Report what is left unexplained of a delay: we may have been at work, or in the queue."""
        self._mind_suspension()
        if self._hurried:
            own_ns = sum(self._own.read()) - sum(self._used)
            check_watched((late_ns - own_ns) / 1e6)

    def _mind_suspension(self) -> None:
        """Report for how long this machine was suspended since we began to listen."""
        if self._hurried:
            suspended_ms = (_suspended_ns() - self._suspended_ns) / 1e6
            check_watched(suspended_ms, suspended=True)

    def _poll(self, players: tuple[int, ...]) -> select.poll:
        """Return a poll over these players' descriptors; kept if nobody waits to be written.

        Without players it is over what anybody says.
        """
        poll = select.poll()
        writing = False
        for player in players or self._judge.guards:
            bot = self._judge.guards[player].bot
            if bot.stdout_open:
                poll.register(bot.stdout, select.POLLIN)
            # after stdout, as they are looked at in this order: what a bot wrote here before its
            # answer is seen no later than the answer
            if bot.stderr_open:
                poll.register(bot.stderr, select.POLLIN)
            if players:
                poll.register(bot.pidfd, select.POLLIN)
            if bot.unwritten and bot.stdin >= 0:
                poll.register(bot.stdin, select.POLLOUT)
                writing = True
        if self.lifeline >= 0:
            poll.register(self.lifeline, 0)
        if not writing:
            self._polls[players] = poll
        return poll


def _left_ms(deadlines: dict[int, int]) -> int:
    """Return for how long it is until the first deadline, rounded up."""
    return max(0, -(-(min(deadlines.values()) - time.monotonic_ns()) // 1_000_000))


def _suspended_ns() -> int:
    """Return for how long this machine has been suspended since it was started."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
