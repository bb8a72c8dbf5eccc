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
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from arena.machine.crash import cross
from arena.machine.heartbeat import ENGINE, LISTENING, WORKING, Heartbeat
from arena.match import verdicts
from arena.match.charging import NOTHING
from arena.match.clock import more_ms
from arena.match.lines import Flood
from arena.match.player import Stage
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.process.bot import CHECK_NS
from arena.process.launcher import orphans
from arena.session.listening import UnheardTime
from arena.session.parting import dismiss
from arena.session.pool import Pool
from arena.session.seated import SeatedBot
from arena.values.model import Cause, Termination
from arena.values.origins import PERSON
from arena.values.said import SaidWhere
from engines import State

Events = list[tuple[int, int]]
P = ParamSpec("P")
R = TypeVar("R")

QUICK_MS = 1  # a bot that answers within this is not looked at closely
# between looks at who computes unasked, and at who waits for a CPU; at random, so that nobody can
# be ready for one
LEAST_WATCH_NS, MOST_WATCH_NS = 15_000_000, 35_000_000
FAULT_GRACE_MS = 100  # a faulty bot gets this long to read why


class RunnerGone(BaseException):
    """The process that wanted this match is gone: stop the bots and end."""


class Owner(NamedTuple):
    """A worker's end of what connects it with the runner.

    Attributes:
        runner_fd: a descriptor whose hang-up means that nobody waits for the match any more; -1:
            none.
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
        seats: all of the match, by player.
        listening: for how long we did not listen to them.
        heartbeat: what this process shows of what it is doing.
        pool: whose bots are looked at meanwhile, and the meter of our own thread.
        next_check_ns: when to look at everybody next.
        runner_fd: the descriptor whose hang-up means that nobody waits for the match; -1: none.
    """

    def __init__(
        self, referee: Referee, seats: Sequence[SeatedBot], pool: Pool, owner: Owner
    ) -> None:
        """Prepare to ask.

        Args:
            referee, seats, pool: see above.
            owner: of the worker that this is, which has no children but those of bots; or one that
                nobody is behind.
        """
        self.referee = referee
        self.seats = seats
        self.listening = UnheardTime(pool.own)
        self.heartbeat = owner.heartbeat
        self.next_check_ns = time.monotonic_ns() + CHECK_NS
        self.runner_fd = owner.runner_fd
        self.pool = pool
        self._people = [seat for seat in seats if seat.player.seat.entrant.bot.origin == PERSON]
        self._owner = owner
        self._polls: dict[tuple[int, ...], select.poll] = {}  # by the players that are waited for

    def here(self) -> list[SeatedBot]:
        """Return the seats whose bots play."""
        return [seat for seat in self.seats if seat.here]

    def engine(self, call: Callable[P, R], *words: P.args, **named: P.kwargs) -> R:
        """Call what asks the engine of the game, and say meanwhile that we are in it."""
        self.heartbeat.doing = ENGINE
        result = call(*words, **named)
        self.heartbeat.doing = WORKING
        return result

    # asking

    def ask(self, players: Iterable[int]) -> None:
        """Ask players, each on its own clock, and hear them out.

        A player that was asked already, or was dropped, is not asked.
        """
        waiting: list[SeatedBot] = []
        since = time.monotonic_ns()
        self.heartbeat.decisions = len(self.referee.course.decisions)
        for seat in [self.seats[player] for player in players]:
            if seat.player.stage is not Stage.READY:
                continue
            bot = seat.bot
            bot.lines.next_decision()
            self._read_stderr(seat)  # these are of the decision before
            if self.hear_all(seat):
                continue
            begun = bool(bot.lines.partial)
            block = self.engine(self.referee.ask, seat.player.number, begun=begun)
            if bot.excess is not None:
                self._fail(seat, bot.excess)
                continue
            cross("message")
            seat.ask(block)
            seat.wait()
            waiting.append(seat)
        self.wait_for_answers(waiting, since)
        cross("answer")

    def wait_for_start(self, seat: SeatedBot) -> None:
        """Wait until a bot that was just greeted is ready, or its time to start is over."""
        self.next_check_ns = min(self.next_check_ns, seat.bot.next_check_ns)
        seat.stopwatch.greet(seat.player.seat.clock.start_ms)
        self.wait_for_answers([seat], seat.stopwatch.start)

    def quiet(self) -> select.poll | None:
        """Return a poll over the output of all bots and the runner_fd.

        Returns:
            ``None`` if anybody has written something that was not judged, or has to be written to.
        """
        for seat in self.seats:
            if seat.here:
                bot = seat.bot
                if bot.excess is not None or bot.unwritten or not bot.stdout_open or bot.lines:
                    return None
                bot.lines.next_decision()
        poll = self._polls.get(()) or self._poll(())
        return None if poll.poll(0) else poll

    def wait_for_answers(
        self, waiting: list[SeatedBot], since: int, heard: tuple[Events, int, int] | None = None
    ) -> None:
        """Hear out everyone until each is settled.

        Output counts in the order it was written, data before the end of the stream, and what was
        there at the deadline.

        Args:
            waiting: those who are asked, or start.
            since: when the first of them was asked.
            heard: what a first poll for ``QUICK_MS`` has found already; when it began and returned.

        Raises:
            RunnerGone: the runner_fd hung up.
        """
        listening = self.listening
        listening.begin(since)
        # to say that it is ready takes a bot longer than that
        quick = any(seat.player.stage is Stage.ASKED for seat in waiting)
        watch_at = since + _until_watch()
        if not quick:
            listening.measure()
        while waiting:
            timeout = QUICK_MS
            if heard is None:
                timeout = QUICK_MS if quick else _left_ms(watch_at)
                timeout = min(timeout, *(_left_ms(seat.stopwatch.deadline) for seat in waiting))
                heard = self._hear_poll(waiting, timeout)
            (events, polled, now), heard = heard, None
            listening.woke(polled, now, timeout * 1_000_000)
            ready = {fd for fd, _ in events}
            if self.runner_fd in ready:
                raise RunnerGone
            for seat in waiting:
                if seat.bot.excess is not None:  # it held its pipe while it was asked
                    self._fail(seat, seat.bot.excess, now)
                elif not ready.isdisjoint(seat.bot.descriptors):
                    self._attend(seat, ready, now)
            for seat in self._people:
                if seat.here and not seat.waited_for:
                    self._overhear(seat, ready)
            if now >= self.next_check_ns:
                self.check_all(now)
            if now >= watch_at:
                self._watch(now)
                watch_at = now + _until_watch()
            waiting = [seat for seat in waiting if seat.waited_for]
            for seat in waiting:
                if now >= seat.stopwatch.deadline:
                    self._expire(seat, now)
            waiting = [seat for seat in waiting if seat.waited_for]
            if quick and waiting:
                quick = False
                listening.measure()
                for seat in waiting:
                    seat.stopwatch.read_waits()

    def _hear_poll(self, waiting: list[SeatedBot], timeout: int) -> tuple[Events, int, int]:
        """Poll for so many milliseconds; return what is ready, and when that began and returned."""
        players = tuple([seat.player.number for seat in waiting])
        writing = any(seat.bot.unwritten for seat in waiting)
        poll = (None if writing else self._polls.get(players)) or self._poll(players)
        self.heartbeat.doing = LISTENING
        polled = time.monotonic_ns()
        events = poll.poll(timeout)
        self.heartbeat.doing = WORKING
        return events, polled, time.monotonic_ns()

    # hearing

    def _attend(self, seat: SeatedBot, ready: set[int], now: int) -> None:
        """Write to and read from a bot as far as it is ready, and judge what it says."""
        bot = seat.bot
        if bot.unwritten and bot.write(b""):
            seat.stopwatch.wrote_rest(now)
        if bot.stderr in ready:  # before stdout: what it said before its answer is of that one
            self._read_stderr(seat)
        if bot.stdout in ready:
            bot.read()
        if bot.excess is not None:  # it held one of its pipes
            self._fail(seat, bot.excess, now)
        elif bot.stdout in ready and self.hear(seat, now):
            pass
        elif (flood := bot.stderr_flood()) is not None:
            self._flooded(seat, flood, now)
        elif (not bot.stdout_open or bot.pidfd in ready) and not self.hear_all(seat, now):
            self._closed(seat, now)

    def hear(self, seat: SeatedBot, now: int = 0) -> bool:
        """Have the lines judged that were read of a player; whether that settled it."""
        lines = seat.bot.lines
        try:
            while (raw := lines.take()) is not None:
                if self._line(seat, raw, now):
                    return True
        except Flood as error:
            self._flooded(seat, error, now)
            return True
        return False

    def _overhear(self, seat: SeatedBot, ready: set[int]) -> None:
        """Hear a person who is not asked: they may resign."""
        if seat.bot.stdout in ready and not seat.bot.read():
            self._polls.clear()
        if seat.bot.lines.take() == b"resign":
            self.engine(self.referee.give_up, seat.player.number)

    def hear_all(self, seat: SeatedBot, now: int = 0) -> bool:
        """Have all judged that a player has written up to now; whether that settled it."""
        while not self.hear(seat, now):
            if not seat.bot.stdout_open or not seat.bot.read():
                return False
        return True

    def _read_stderr(self, seat: SeatedBot) -> None:
        """Read what a bot has written to stderr."""
        bot = seat.bot
        if bot.stderr_open and not bot.read_stderr() and not bot.stderr_open:
            self._polls.clear()

    def _line(self, seat: SeatedBot, raw: bytes, now: int) -> bool:
        """Judge a line; whether it settled the player."""
        p = seat.player
        before = p.stage
        spent = seat.spent(now) if before is Stage.ASKED else NOTHING
        settled = self.engine(self.referee.line, p.number, raw, spent)
        if p.stage is not Stage.SETTLED or p.decision.forced:  # it is no answer that counts
            source = SaidWhere.AFTER if before is Stage.READY else SaidWhere.STDOUT
            seat.keep(raw + b"\n", source)
        if settled:
            if before is Stage.ASKED:
                seat.answered(now)
            seat.send_farewell(self.referee)
        elif p.again:
            seat.bot.write(p.again)
            p.again = b""
        return settled

    # failing

    def _fail(self, seat: SeatedBot, verdict: Verdict, now: int = 0) -> None:
        """Drop a player for what became of it; ``now``: 0 where its time does not matter."""
        spent = seat.spent(now) if now else NOTHING
        self.engine(self.referee.fail, seat.player.number, verdict, spent)
        seat.send_farewell(self.referee)

    def _closed(self, seat: SeatedBot, now: int) -> None:
        """Judge the end of a player's output."""
        bot, started = seat.bot, seat.was_ready
        how, cause, partial_line = bot.how_it_ended(), bot.why_it_ended(), seat.partial_line()
        seat.keep(partial_line)
        verdict = seat.holds.why_it_ended(guessed=started)
        if verdict is None:
            seat.check_isolation()
            verdict = verdicts.ended(how, cause, partial_line, ready=started)
        self._fail(seat, verdict, now)

    def _flooded(self, seat: SeatedBot, flood: Flood, now: int) -> None:
        """Judge a player that wrote too much."""
        seat.keep(seat.in_part(flood.line))
        self._fail(seat, verdicts.flooded(flood, ready=seat.was_ready), now)

    def _expire(self, seat: SeatedBot, now: int) -> None:
        """Judge a player whose time is over; it may get more of it."""
        bot, player = seat.bot, seat.player
        spent, least_ms = seat.stopwatch.spent_at_least(now, player.limit_ms)
        seat.holds.check_memory()
        cores = len(os.sched_getaffinity(0))
        if wait_ms := more_ms(player.limit_ms, spent, least_ms, cores=cores):
            self._stop_others()
            seat.stopwatch.deadline = now + int(wait_ms * 1e6)
            return
        partial_line = seat.partial_line()
        seat.keep(partial_line)
        if seat.was_ready and bot.tree.namespaced and bot.closed_stdout():
            how = "it closed its stdout"
            ended = verdicts.ended(how, Cause.CLOSED, partial_line, ready=True)
            self.referee.fail(player.number, ended, spent)
        else:
            self.referee.expired(player.number, partial_line, bool(bot.unwritten), spent)
        seat.send_farewell(self.referee)

    def dismiss_dropped(self) -> None:
        """Tell each dropped player why, and have its bot leave."""
        gone = [seat for seat in self.here() if seat.player.stage is Stage.DROPPED]
        for seat in gone:
            seat.send_farewell(self.referee)
            seat.leave()
        if gone:
            self._polls.clear()
            dismiss(gone, FAULT_GRACE_MS, self.pool.look)
        for seat in gone:
            seat.here = False

    # looks

    def check_all(self, now: int) -> None:
        """Check all bots, and show that we are here."""
        self.heartbeat.alive = time.monotonic()
        course = self.referee.course
        self.engine(self._owner.show, course.state, len(course.decisions))
        self.pool.look(now)
        for seat in self.here():
            excess = seat.look(now)
            if excess is None:
                continue
            remark = f"killed: {excess.detail} ({seat.holds.held_bytes} bytes were counted)"
            seat.capture.add_line(remark, SaidWhere.REFEREE)
            if excess.code is Termination.MEMORY:
                # first of all: the next to be killed may be we
                self.heartbeat.over = 1 + seat.player.number
            seat.bot.condemn(excess)
            if seat.waited_for:
                self._fail(seat, excess, now)
        self.next_check_ns = time.monotonic_ns() + CHECK_NS

    def _watch(self, now: int) -> None:
        """Find the bots that compute unasked, and the helpers of those that wait for a CPU."""
        for seat in self.here():
            if not seat.waited_for:
                seat.idle.look(now)
                continue
            bot, watch = seat.bot, seat.stopwatch
            bot.meter.cpu_ns(now)  # a helper that ends soon is known by what it was seen to use
            if watch.has_waited_more() and bot.tree.group is None:
                left = () if bot.tree.namespaced else orphans(bot.pid, self.pids())
                watch.helpers.look((*bot.tree.members(), *left))

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots that play or are kept."""
        return frozenset([seat.bot.pid for seat in self.here()]) | self.pool.pids()

    def _stop_others(self) -> None:
        """Stop the bots that are not asked: one that is asked gets too little of the CPU."""
        for seat in self.here():
            if not seat.waited_for:
                seat.idle.stop()

    def _poll(self, players: tuple[int, ...]) -> select.poll:
        """Return a poll over these players' descriptors; kept if no bot waits to be written to.

        Without players it is over what anybody says.
        """
        poll = select.poll()
        writing = False
        for seat in [self.seats[player] for player in players] or self.here():
            bot = seat.bot
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
        for seat in self._people:
            if seat.here and seat.bot.stdout_open:
                poll.register(seat.bot.stdout, select.POLLIN)
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
