"""The loop that asks bots and waits until each has answered, failed or run out of time.

One poll watches all bots that are expected to say something. Their output goes to the referee, with
the time it took; no output moves a deadline. The time in which the arena did not listen is measured
(``listening.py``) and charged to no bot, except to one that held its own pipe. Times are ns of the
monotonic clock.
"""

from __future__ import annotations

import os
import random
import select
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from arena.machine.crash import cross
from arena.machine.heartbeat import ENGINE, LISTENING, WORKING, Heartbeat, mark_of
from arena.match import verdicts
from arena.match.charging import NOTHING, Spent
from arena.match.lines import Flood
from arena.match.player import Stage
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.process.bot import CHECK_NS, BotProcess, anybody, strays
from arena.process.capture import Capture
from arena.process.launcher import started_here
from arena.process.silence import LOOK_SECONDS
from arena.session.guard import Guard
from arena.session.listening import UnheardTime
from arena.session.pool import Pool
from arena.values.model import Cause, Termination
from arena.values.said import NOTHING_SAID, Pieces, SaidWhere
from engines import State

__all__ = ["QUICK_MS", "Loop", "Owner", "RunnerGone"]

Events = list[tuple[int, int]]

QUICK_MS = 1  # a bot that answers within this is not looked at closely
# between looks at who computes unasked, and at who waits for a CPU; at random, so that nobody can
# be ready for one
LEAST_WATCH_NS, MOST_WATCH_NS = 15_000_000, 35_000_000


class RunnerGone(BaseException):
    """The process that wanted this match is gone: stop the bots and end."""


class Owner(NamedTuple):
    """A worker's end of what connects it with the runner.

    Attributes:
        runner_fd: a descriptor whose hang-up means that nobody waits for the match any more.
        heartbeat: where the runner sees that the match is being played, at least every 100 ms while
            bots are waited for, and what this process is doing.
        show: called as often with the position, and how many decisions led to it.
    """

    runner_fd: int
    heartbeat: Heartbeat
    show: Callable[[State, int], None] = lambda state, decisions: None


class Loop:
    """Stands between the bots of one match and the referee.

    Attributes:
        referee: what decides.
        guards: of the bots in the match, by player; they come and go.
        listening: for how long we did not listen to them.
        heartbeat: what this process shows of what it is doing.
        next_check_ns: when to look at everybody next.
        runner_fd: the descriptor whose hang-up means that nobody waits for the match; -1: none.
    """

    def __init__(
        self,
        referee: Referee,
        pool: Pool,
        owner: Owner | None,
        heartbeat: Heartbeat,
    ) -> None:
        """Prepare to ask.

        Args:
            referee: what decides.
            pool: whose bots are looked at meanwhile, and the meter of our own thread.
            owner: of the worker that this is; it has no children but those of bots.
            heartbeat: the owner's, or that of this match alone.
        """
        self.referee = referee
        self.guards: dict[int, Guard] = {}
        self.listening = UnheardTime(pool.own)
        self.heartbeat = heartbeat
        self.next_check_ns = time.monotonic_ns() + CHECK_NS
        self.runner_fd = -1 if owner is None else owner.runner_fd
        self._pool = pool
        self._owner = owner
        self._ours = started_here if owner is None else anybody
        self._wrote: dict[int, Capture] = {}  # most players write nothing but answers
        self._told: set[int] = set()  # the players that were sent that they were dropped
        self._polls: dict[tuple[int, ...], select.poll] = {}

    def attach(self, player: int, guard: Guard) -> None:
        """Watch a bot that takes its seat."""
        bot = guard.bot
        self.guards[player] = guard
        self.next_check_ns = min(self.next_check_ns, bot.next_check_ns)
        bot.heartbeat, bot.mark = self.heartbeat, mark_of(bot.pid, player)
        bot.held = partial(self._held, player)

    # asking

    def ask(self, players: Iterable[int]) -> None:
        """Ask players, each on its own clock, and hear them out.

        A player that was asked already, or was dropped, is not asked.
        """
        deadlines: dict[int, int] = {}
        since = time.monotonic_ns()
        self.heartbeat.decisions = len(self.referee.course.decisions)
        for player in players:
            if self.referee.players[player].stage is not Stage.READY:
                continue
            guard = self.guards[player]
            bot = guard.bot
            bot.lines.next_decision()
            self._read_stderr(bot)  # these are of the decision before
            if self.judge_early_output(player):
                continue
            self.heartbeat.doing = ENGINE
            block = self.referee.ask(player, begun=bool(bot.lines.partial))
            self.heartbeat.doing = WORKING
            if guard.excess is not None:
                self._fail(player, guard.excess)
                continue
            cross("message")
            guard.ask(block)
            deadlines[player] = self.deadline(player)
        self.wait_for_answers(deadlines, since)
        cross("answer")

    def deadline(self, player: int) -> int:
        """Return when limit and margin of a player who was just asked have passed."""
        asked, guard = self.referee.players[player], self.guards[player]
        guard.lost_ns, guard.waited = self.listening.lost_ns(), 0
        patience_ms = asked.limit_ms + asked.seat.clock.margin_ms
        return guard.start + patience_ms * 1_000_000

    def wait_for_start(self, player: int) -> None:
        """Wait until a bot that was just greeted is ready, or its time to start is over."""
        now, seat = time.monotonic_ns(), self.referee.players[player].seat
        self.guards[player].greet(now)
        self.guards[player].lost_ns = self.listening.lost_ns()
        self.wait_for_answers({player: now + seat.clock.start_ms * 1_000_000}, now)

    def forget(self) -> None:
        """Forget what was prepared for polls: descriptors have changed."""
        self._polls.clear()

    def quiet(self) -> select.poll | None:
        """Return a poll over the output of all bots and the runner_fd.

        Returns:
            ``None`` if anybody has written something that was not judged, or has to be written to.
        """
        for guard in self.guards.values():
            bot = guard.bot
            if guard.excess is not None or bot.unwritten or not bot.stdout_open or bot.lines:
                return None
            bot.lines.next_decision()
        poll = self._polls.get(()) or self._poll(())
        return None if poll.poll(0) else poll

    def wait_for_answers(
        self, deadlines: dict[int, int], since: int, heard: tuple[Events, int, int] | None = None
    ) -> None:
        """Hear out every player with a deadline until each is settled.

        Output counts in the order it was written, data before the end of the stream, and what was
        there at the deadline.

        Args:
            deadlines: for each player.
            since: when the first of them was asked.
            heard: what a first poll for ``QUICK_MS`` has found already; when it began and returned.

        Raises:
            RunnerGone: the runner_fd hung up.
        """
        listening = self.listening
        listening.begin(since)
        # to say that it is ready takes a bot longer than that
        quick = any(self.referee.players[player].stage is Stage.ASKED for player in deadlines)
        watch_at = since + _until_watch()
        if not quick:
            listening.measure()
        while deadlines:
            players = tuple(deadlines)
            timeout = QUICK_MS
            if heard is None:
                timeout = QUICK_MS if quick else _left_ms(watch_at)
                timeout = min(timeout, _left_ms(min(deadlines.values())))
                heard = self._hear_poll(players, timeout)
            (events, polled, now), heard = heard, None
            listening.woke(polled, now, timeout * 1_000_000)
            ready = {fd for fd, _ in events}
            if self.runner_fd in ready:
                raise RunnerGone
            for player in players:
                guard = self.guards[player]
                bot = guard.bot
                if guard.excess is not None:  # it held its pipe while it was asked
                    self._fail(player, guard.excess, now)
                    del deadlines[player]
                elif not ready.isdisjoint(bot.descriptors) and self._attend(
                    player, bot, ready, deadlines, now
                ):
                    del deadlines[player]
            if now >= self.next_check_ns:
                self.check_all(deadlines, now)
            if now >= watch_at:
                self._watch(now)
                watch_at = now + _until_watch()
            self._expire(deadlines, now)
            if quick and deadlines:
                quick = False
                listening.measure()
                for player in deadlines:
                    self.guards[player].thinks()

    def _hear_poll(self, players: tuple[int, ...], timeout: int) -> tuple[Events, int, int]:
        """Poll for so many milliseconds; return what is ready, and when that began and returned."""
        poll, heartbeat = self._poll_for(players), self.heartbeat
        heartbeat.doing = LISTENING
        polled = time.monotonic_ns()
        events = poll.poll(timeout)
        heartbeat.doing = WORKING
        return events, polled, time.monotonic_ns()

    # hearing

    def _attend(
        self,
        player: int,
        bot: BotProcess,
        ready: set[int],
        deadlines: dict[int, int],
        now: int,
    ) -> bool:
        """Write to and read from a bot as far as it is ready; whether that settled the player."""
        guard = self.guards[player]
        if bot.unwritten and bot.write(b"") and now < guard.start:
            deadlines[player] += now - guard.start
            guard.start = now
        if bot.stderr in ready:  # before stdout: what it said before its answer is of that one
            self._read_stderr(bot)
        if bot.stdout in ready:
            bot.read()
        if guard.excess is not None:  # it held one of its pipes
            self._fail(player, guard.excess, now)
            return True
        if bot.stdout in ready and self.hear(player, now):
            return True
        if (flood := bot.stderr_flood()) is not None:
            return self._flooded(player, flood, now)
        if not bot.stdout_open or bot.pidfd in ready:
            while bot.stdout_open and bot.read():
                if self.hear(player, now):
                    return True
            self._closed(player, now)
            return True
        return False

    def hear(self, player: int, now: int = 0) -> bool:
        """Have the lines judged that were read of a player; whether that settled it."""
        lines = self.guards[player].bot.lines
        try:
            while (raw := lines.take()) is not None:
                if self._line(player, raw, now):
                    return True
        except Flood as error:
            return self._flooded(player, error, now)
        return False

    def judge_early_output(self, player: int) -> bool:
        """Judge what a player wrote since its last decision; whether that costs it the match."""
        bot = self.guards[player].bot
        while not self.hear(player):
            if not bot.stdout_open or not bot.read():
                return False
        return True

    def _read_stderr(self, bot: BotProcess) -> None:
        """Read what a bot has written to stderr."""
        if bot.stderr_open and not bot.read_stderr() and not bot.stderr_open:
            self._polls.clear()

    def _line(self, player: int, raw: bytes, now: int) -> bool:
        """Judge a line; whether it settled the player."""
        guard, p, spent = self.guards[player], self.referee.players[player], NOTHING
        before = p.stage
        if before is Stage.ASKED:
            spent = self._spent(player, now)
        self.heartbeat.doing = ENGINE
        settled = self.referee.line(player, raw, spent)
        self.heartbeat.doing = WORKING
        if p.stage is not Stage.SETTLED or p.decision.forced:  # it is no answer that counts
            source = SaidWhere.AFTER if before is Stage.READY else SaidWhere.STDOUT
            self._keep(player, raw + b"\n", source)
        if settled:
            if before is Stage.ASKED:
                guard.answered(now)
            self._tell_dropped(player)
        return settled

    def _keep(self, player: int, data: bytes, source: SaidWhere = SaidWhere.STDOUT) -> None:
        """Keep what a bot wrote to stdout and no record says."""
        if data:
            capture = self._wrote.get(player)
            if capture is None:
                asked = partial(getattr, self.referee.players[player], "asked")
                capture = self._wrote[player] = Capture(asked)
            capture.add(data, source)

    def wrote(self) -> tuple[Pieces, ...]:
        """Return what bots wrote to stdout that no record says, seat by seat."""
        players, found = range(len(self.referee.players)), self._wrote
        return tuple([found[p].pieces() if p in found else NOTHING_SAID for p in players])

    # failing

    def _fail(self, player: int, verdict: Verdict, now: int = 0) -> None:
        """Drop a player for what became of it; ``now``: 0 where its time does not matter."""
        spent = self._spent(player, now) if now else NOTHING
        self.heartbeat.doing = ENGINE
        self.referee.fail(player, verdict, spent)
        self.heartbeat.doing = WORKING
        self._tell_dropped(player)

    def _closed(self, player: int, now: int) -> None:
        """Judge the end of a player's output."""
        guard, started = self.guards[player], self._was_ready(player)
        how, cause = guard.bot.how_it_ended(), guard.bot.why_it_ended()
        partial_line = guard.bot.lines.partial
        self._keep(player, partial_line)
        verdict = guard.why_it_ended(guessed=started)
        if verdict is None:
            guard.check_isolation(started=started)
            verdict = verdicts.ended(how, cause, partial_line, ready=started)
        self._fail(player, verdict, now)

    def _flooded(self, player: int, flood: Flood, now: int) -> bool:
        """Judge a player that wrote too much; that settles it."""
        self._keep(player, flood.line)
        self._fail(player, verdicts.flooded(flood, ready=self._was_ready(player)), now)
        return True

    def _expire(self, deadlines: dict[int, int], now: int) -> None:
        """Judge those whose time is over, if any: some get more of it."""
        for player in [p for p, deadline in deadlines.items() if now >= deadline]:
            guard, spent = self.guards[player], self._spent(player, now)
            guard.check_memory()
            unsettled_ms = guard.unsettled_ms(now, self.referee.players[player].limit_ms)
            cores = len(os.sched_getaffinity(0))
            more_ms = self.referee.more_ms(player, spent, unsettled_ms=unsettled_ms, cores=cores)
            if more_ms:
                self._stop_others()
                deadlines[player] = now + int(more_ms * 1e6)
            else:
                self._out_of_time(player, spent)
                del deadlines[player]

    def _out_of_time(self, player: int, spent: Spent) -> None:
        bot = self.guards[player].bot
        partial_line = bot.lines.partial
        self._keep(player, partial_line)
        if self._was_ready(player) and bot.tree.namespaced and bot.closed_stdout():
            how = "it closed its stdout"
            ended = verdicts.ended(how, Cause.CLOSED, partial_line, ready=True)
            self.referee.fail(player, ended, spent)
        else:
            self.referee.expired(player, partial_line, bool(bot.unwritten), spent)
        self._tell_dropped(player)

    def tell_dropped(self) -> list[int]:
        """Tell each dropped player why, once; return those whose bots are here."""
        gone = [player for player in self.guards if self.referee.dropped(player)]
        for player in gone:
            self._tell_dropped(player)
        return gone

    def _tell_dropped(self, player: int) -> None:
        """Say to a player that was dropped why, once."""
        if self.referee.dropped(player) and player not in self._told:
            self._told.add(player)
            self.guards[player].bot.write(self.referee.farewell(player))

    def _spent(self, player: int, now: int) -> Spent:
        """Return what the open decision, or the start, of a player took.

        What it held its own pipe for is charged, whether that was a gap for others or is not known
        to be one yet.
        """
        guard = self.guards[player]
        unheard_ns = self.listening.unheard_ns(guard.lost_ns, guard.start) - guard.held_ns
        return guard.spent(
            now - guard.start - unheard_ns, now, self.referee.players[player].limit_ms
        )

    def _was_ready(self, player: int) -> bool:
        return self.referee.players[player].ready is not None

    def _is_asked(self, player: int) -> bool:
        return self.referee.players[player].stage in (Stage.ASKED, Stage.GREETED)

    # looks

    def check_all(self, deadlines: dict[int, int], now: int) -> None:
        """Check all bots, and show that we are here."""
        self.heartbeat.alive = time.monotonic()
        if self._owner is not None:
            course = self.referee.course
            self.heartbeat.doing = ENGINE
            self._owner.show(course.state, len(course.decisions))
            self.heartbeat.doing = WORKING
        self._pool.look(now)
        for player, guard in self.guards.items():
            excess = guard.look(now)
            if excess is None:
                continue
            remark = f"killed: {excess.detail} ({guard.held_bytes} bytes were counted)"
            guard.bot.capture.add_line(remark, SaidWhere.REFEREE)
            if excess.code is Termination.MEMORY:
                # first of all: the next to be killed may be we
                self.heartbeat.over = 1 + player
            guard.bot.tree.kill()
            if player in deadlines:
                self._fail(player, excess, now)
                del deadlines[player]
        if not deadlines:
            self.listening.measure()
        self.next_check_ns = time.monotonic_ns() + CHECK_NS

    def _watch(self, now: int) -> None:
        """Find the bots that compute unasked, and the helpers of those that wait for a CPU."""
        for player, guard in self.guards.items():
            if not self._is_asked(player):
                guard.check_idle(now)
                continue
            bot, waited = guard.bot, guard.waited_ns()
            bot.meter.cpu_ns(now)  # a helper that ends soon is known by what it was seen to use
            if waited > guard.waited and bot.tree.group is None:
                orphans = () if bot.tree.namespaced else strays(self._bots(), self._ours)
                guard.helpers.look((*bot.tree.members(), *orphans))
            guard.waited = waited

    def _bots(self) -> frozenset[int]:
        """Return the process ids of the bots that play or are kept."""
        return frozenset([guard.bot.pid for guard in self.guards.values()]) | self._pool.pids()

    def _stop_others(self) -> None:
        """Stop the bots that are not asked: one that is asked gets too little of the CPU."""
        for player, guard in self.guards.items():
            if not self._is_asked(player):
                guard.stop()

    def _held(self, player: int, began: int, ended: int) -> None:
        """Judge a call on a bot's pipe that took long.

        It was the bot as far as who watches us found us waiting in that call: we may have been
        stopped in it, or had no CPU.
        """
        seen = self.heartbeat.looks if self.heartbeat.seen_ns == began else 0
        if ns := min(ended - began, int(seen * LOOK_SECONDS * 1e9)):
            self.guards[player].hold(ns, asked=self._is_asked(player))

    def _poll_for(self, players: tuple[int, ...]) -> select.poll:
        writing = any(self.guards[player].bot.unwritten for player in players)
        return (None if writing else self._polls.get(players)) or self._poll(players)

    def _poll(self, players: tuple[int, ...]) -> select.poll:
        """Return a poll over these players' descriptors; kept if no bot waits to be written to.

        Without players it is over what anybody says.
        """
        poll = select.poll()
        writing = False
        for player in players or self.guards:
            bot = self.guards[player].bot
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
        if self.runner_fd >= 0:
            poll.register(self.runner_fd, 0)
        if not writing:
            self._polls[players] = poll
        return poll


def _left_ms(deadline: int) -> int:
    """Return for how long it is until a deadline, rounded up."""
    return max(0, -(-(deadline - time.monotonic_ns()) // 1_000_000))


def _until_watch() -> int:
    """Return how long it is until bots are looked at again, in ns."""
    return random.randint(LEAST_WATCH_NS, MOST_WATCH_NS)
