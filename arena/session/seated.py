"""One seat of a match that is played: all that is known of the bot that sits there."""

from __future__ import annotations

import time
from collections.abc import Callable

from arena.machine.heartbeat import mark_of
from arena.match.charging import Spent
from arena.match.player import PlayerState, Stage
from arena.match.referee import Referee
from arena.process.bot import BotProcess
from arena.process.capture import Capture
from arena.process.launcher import KILLED
from arena.process.silence import LOOK_SECONDS
from arena.sandbox.diagnosis import explain
from arena.session.guard import Guard
from arena.session.listening import UnheardTime
from arena.session.stopwatch import Stopwatch
from arena.values.errors import MatchVoid
from arena.values.said import SaidWhere
from engines import State

LAST_WORD_MS = 200  # for bubblewrap to say how a bot ended
WAITED_FOR = (Stage.ASKED, Stage.GREETED)

Script = Callable[[State, int], str]
"""The action of a player without a process."""


class SeatedBot(Guard):
    """One player, its bot if it has one, and what the bot wrote.

    Attributes:
        player: as the referee keeps it.
        script: acts for it, in place of a process.
        capture: what it wrote to stderr, and by ``log``.
        wrote: what it wrote to stdout that no record says.
        told: was it sent that it was dropped?
        here: does its bot play, so that there is a process, and a stopwatch with it?
        as_our_user: was its bot started as the user that this process runs as?
        pondered: did a bot that has left think while others decided, though it may not?
        stopwatch: times its start and its decisions.
    """

    stopwatch: Stopwatch

    def __init__(self, player: PlayerState) -> None:
        """Make a seat ready, in which nobody sits yet."""
        self.player = player
        self.script: Script | None = None
        self.capture = Capture(self.decision)
        self.wrote = Capture(self.decision)
        self.told = self.here = self.pondered = self.as_our_user = False

    def sit(self, bot: BotProcess, listening: UnheardTime, *, ponder: bool) -> None:
        """Have a bot take the seat; what it may do is as for ``Guard``."""
        Guard.__init__(self, bot, ponder=ponder)
        self.stopwatch = Stopwatch(bot, listening, time.monotonic_ns)
        self.here = True
        bot.mark, bot.held = mark_of(bot.pid, self.player.number), self._held
        bot.capture = self.capture
        bot.lines.next_decision()

    def decision(self) -> int:
        """Return which of its decisions is open, or was last."""
        return self.player.asked

    @property
    def waited_for(self) -> bool:
        """Whether it is asked, or starts."""
        return self.player.stage in WAITED_FOR

    @property
    def was_ready(self) -> bool:
        """Whether it ever said that it is."""
        return self.player.ready is not None

    def leave(self) -> None:
        """Have the bot be asked no more: one that was stopped goes on, to read the last lines."""
        self.pondered = self.idle.pondered
        self.idle.release()

    def in_part(self, line: bytes) -> bytes:
        """Return what has come of a line of the bot, without what nobody is to see."""
        return line if self.bot.hidden is None else self.bot.hidden.in_part(line)

    def partial_line(self) -> bytes:
        """Return what has come of a line whose end has not, likewise."""
        return self.in_part(self.bot.lines.partial)

    def keep(self, data: bytes, source: SaidWhere = SaidWhere.STDOUT) -> None:
        """Keep what the bot wrote to stdout and no record says."""
        if data:
            self.wrote.add(data, source)

    def ask(self, block: bytes) -> bool:
        """Write a question to the bot, and start its clock; return whether all was written.

        What it used since its last answer is seen first. One that is stopped goes on once its
        question is written: so it need not run twice.
        """
        bot, watch, idle = self.bot, self.stopwatch, self.idle
        now = watch.clock()
        cpu_ns = bot.meter.cpu_ns(now)
        if idle.since:
            idle.end(now, cpu_ns)
        watch.ask(now, cpu_ns)
        whole = bot.write(block)
        if idle.frozen:
            idle.wake()
        watch.asked(whole=whole)
        return whole

    def wait(self) -> None:
        """Begin to wait for an answer: until limit and margin have passed."""
        self.stopwatch.wait(self.player.limit_ms + self.player.seat.clock.margin_ms)

    def spent(self, now: int) -> Spent:
        """Return what the open decision, or the start, took up to now."""
        return self.stopwatch.spent(now, self.player.limit_ms)

    def answered(self, now: int) -> None:
        """Take note that an answer was heard, to whose time ``spent`` was asked last."""
        self.idle.begin(now, self.stopwatch.cpu_ns)
        if self.idle.pondered:
            self.idle.stop()

    def send_farewell(self, referee: Referee) -> None:
        """Say to a player that was dropped why, once."""
        if self.here and self.player.stage is Stage.DROPPED and not self.told:
            self.told = True
            self.bot.write(referee.farewell(self.player.number))

    def check_isolation(self) -> None:
        """Raise ``MatchVoid`` if what isolates a bot failed, which is not the bot's doing."""
        bot = self.bot
        if bot.lost():
            raise MatchVoid(KILLED)
        if bot.was_cut_off():
            raise MatchVoid(
                f"the process that isolates a bot was killed from outside: {bot.how_it_ended()};"
                " this counts for nobody"
            )
        # one that has said anything surely ran
        if not self.was_ready and bot.has_exited(wait_ms=50) and not bot.tree.ran(LAST_WORD_MS):
            bot.drain()
            problem = explain(bot.capture.text())
            reason = f"a bot could not be isolated: {problem.reason}; {problem.remedy}"
            raise MatchVoid(reason, problem.lack)

    def _held(self, began: int, ended: int) -> None:
        """Judge a call on the bot's pipe that took long.

        It was the bot as far as who watches us found us waiting in that call: we may have been
        stopped in it, or had no CPU.
        """
        heartbeat = self.bot.heartbeat
        seen = heartbeat.looks if heartbeat.seen_ns == began else 0
        if ns := min(ended - began, int(seen * LOOK_SECONDS * 1e9)):
            self.stopwatch.hold(ns, asked=self.waited_for)
