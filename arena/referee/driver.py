"""Plays one match with real bot processes and real time, as the referee says.

One blocking loop for one or many bots at a time: a poll over everyone who owes an answer, one write
and usually one read a decision, deadlines that no output extends.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from datetime import UTC, datetime

from arena.errors import MatchVoid
from arena.model import MatchJob, MatchResult, Seat
from arena.referee.capture import Capture
from arena.referee.deal import deal
from arena.referee.launch import launch
from arena.referee.lines import Flood
from arena.referee.match import Referee
from arena.referee.process import (
    BotProcess,
    LaunchError,
    become_subreaper,
    children,
    kill_strays,
)
from arena.referee.protocol import HELLO, QUIT, Malformed, Ready
from arena.referee.sandbox.complaints import explain
from engines import load_game

__all__ = ["Bench", "RunnerGone", "play_match"]

LAST_WORD_MS = 200  # for bubblewrap to say how a bot ended
QUIT_MS = 1000  # a bot leaves within this after `quit`
FAULT_QUIT_MS = 300  # the same where a fault has ended the match, whose cost is bounded
FAULT_GRACE_MS = 100  # a faulty one gets this long to read why
SETTLE_MS = 100  # a bot that is kept has this long to read `end` and say what it likes about it
WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the offer
MAX_BENCH = 64

Watch = Callable[[Referee], None]


class RunnerGone(BaseException):
    """The process that wanted this match is gone: stop the bots and end."""


class Bench:
    """Bot processes that are kept from one match to the next, the least used given up first."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[BotProcess, Ready]] = {}

    def take(self, seat: Seat) -> tuple[BotProcess, Ready] | None:
        """Take a kept process of this very bot off the bench, if one is there and alive."""
        found = self._kept.pop(self._key(seat), None)
        if found is None:
            return None
        bot = found[0]
        bot.drain()  # after the end of a game nothing it wrote matters
        if bot.has_exited() or not bot.stdout_open:
            bot.kill()
            return None
        return found

    def give(self, seat: Seat, bot: BotProcess, ready: Ready) -> None:
        """Put a process on the bench."""
        older = self._kept.pop(self._key(seat), None)
        if older is not None:
            older[0].kill()
        self._kept[self._key(seat)] = (bot, ready)
        if len(self._kept) > MAX_BENCH:
            first = next(iter(self._kept))
            self._kept.pop(first)[0].kill()

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots kept."""
        return frozenset(bot.pid for bot, _ in self._kept.values())

    def dismiss(self) -> None:
        """Have every kept bot leave."""
        bots = [bot for bot, _ in self._kept.values()]
        self._kept.clear()
        _part(bots, QUIT_MS)

    @staticmethod
    def _key(seat: Seat) -> object:
        return (seat.entrant, seat.bot.hash, seat.args, seat.env, seat.memory_bytes)


def play_match(
    job: MatchJob,
    bench: Bench | None = None,
    lifeline: int | None = None,
    watch: Watch | None = None,
) -> MatchResult:
    """Play one match with real processes and return its record and the bots' logs.

    Whatever the bots do, this returns within the limits of their clocks and leaves no process
    behind but those it puts on the bench.

    Args:
        job: what to play, complete.
        bench: where processes are kept when ``job.processes`` is ``reuse``.
        lifeline: a descriptor whose hang-up means that nobody waits for the match any more.
        watch: called after the start and after every node, to show the match to a person.

    Raises:
        RunnerGone: the lifeline hung up; all bots have been killed.
        MatchVoid: it could not be played to its end, through no fault of a bot.
    """
    become_subreaper()
    # a worker has no children but bots; whoever else calls us may
    spare = children() if lifeline is None else frozenset()
    table = _Table(job, bench or Bench(), lifeline, watch)
    try:
        return table.play()
    finally:
        table.clear()
        kill_strays(spare | (bench.pids() if bench else frozenset()))


class _Table:
    """The bots at one match, and the loop that asks them."""

    def __init__(
        self, job: MatchJob, bench: Bench, lifeline: int | None, watch: Watch | None
    ) -> None:
        self._job = job
        self._bench = bench
        self._lifeline = lifeline
        self._watch = watch
        self._bots: dict[int, BotProcess] = {}
        self._captures = [Capture() for _ in job.seats]  # of stderr and `log`
        self._stderr: dict[int, str] = {}
        self._polls: dict[tuple[int, ...], select.poll] = {}
        self._starts: dict[int, int] = {}  # when each player's clock started, ns
        game = load_game(job.game)
        self._referee = Referee(job, game, deal(job, game), self._log)

    def play(self) -> MatchResult:
        """Start everyone, go through the game, say goodbye."""
        started = datetime.now(UTC)
        begin = time.monotonic_ns()
        referee = self._referee
        self._start_bots()
        referee.begin()
        self._see_off_dropped()
        if self._watch:
            self._watch(referee)
        while not referee.over:
            players = referee.open_node()
            self._ask(players)
            referee.close_node()
            if referee.actions[-1][1] is None or len(players) > 1:
                self._see_off_dropped()
            if self._watch:
                self._watch(referee)
        elapsed_ms = (time.monotonic_ns() - begin) // 1_000_000
        self._say_goodbye()
        stamp = started.strftime("%Y-%m-%dT%H:%M:%S.") + f"{started.microsecond // 1000:03d}Z"
        record = referee.record(self._stderr, stamp, elapsed_ms)
        return MatchResult(self._job.number, record, tuple(c.text() for c in self._captures))

    def clear(self) -> None:
        """Kill whoever still sits here."""
        for bot in self._bots.values():
            bot.kill()
        self._bots.clear()

    # starting

    def _start_bots(self) -> None:
        referee = self._referee
        waiting: list[int] = []
        for player, seat in enumerate(self._job.seats):
            kept = self._bench.take(seat) if self._job.processes == "reuse" else None
            if kept is not None:
                self._sit_down(player, kept[0])
                referee.resume(player, kept[1])
                continue
            try:
                bot = BotProcess(launch(seat, self._job.sandbox))
            except LaunchError as error:
                referee.startup_fault(player, str(error))
                continue
            self._sit_down(player, bot)
            bot.write(HELLO)
            waiting.append(player)
        offered = time.monotonic_ns()
        deadlines = {
            player: offered + self._job.seats[player].clock.start_ms * 1_000_000
            for player in waiting
        }
        self._listen(
            deadlines,
            on_line=self._hello_line,
            on_closed=self._hello_closed,
            on_expired=self._hello_expired,
            on_flood=self._hello_flood,
        )

    def _sit_down(self, player: int, bot: BotProcess) -> None:
        bot.capture = self._captures[player]
        bot.lines.next_decision()
        self._bots[player] = bot

    def _hello_line(self, player: int, raw: bytes, now: int) -> bool:
        try:
            return self._referee.ready(player, raw)
        except Malformed as error:
            self._referee.startup_fault(player, str(error))
            return True

    def _hello_closed(self, player: int, now: int) -> None:
        bot = self._bots[player]
        if bot.has_exited(wait_ms=50) and not bot.tree.ran(LAST_WORD_MS):
            bot.drain()
            problem = explain(bot.capture.text())
            raise MatchVoid(f"a bot could not be isolated: {problem.reason}; {problem.remedy}")
        self._referee.startup_fault(player, f"{bot.how_it_ended()} before it said ready")

    def _hello_expired(self, player: int, now: int) -> None:
        start_ms = self._job.seats[player].clock.start_ms
        self._referee.startup_fault(player, f'no "ready" within {start_ms} ms')

    def _hello_flood(self, player: int, detail: str, now: int) -> None:
        self._referee.startup_fault(player, f"{detail}, before it said ready")

    # asking

    def _ask(self, players: tuple[int, ...]) -> None:
        """Ask everyone who owes an action, each on its own clock, until all is settled."""
        referee = self._referee
        deadlines: dict[int, int] = {}
        for player in players:
            bot = self._bots[player]
            bot.lines.next_decision()
            if self._judge_unasked(player, bot):
                continue
            _, block, limit_ms, margin_ms = referee.ask(player)
            offered = time.monotonic_ns()
            whole = bot.write(block)
            start = time.monotonic_ns() if whole else offered + WRITE_GRACE_NS
            self._starts[player] = start
            deadlines[player] = start + (limit_ms + margin_ms) * 1_000_000
        self._listen(
            deadlines,
            on_line=self._answer_line,
            on_closed=self._answer_closed,
            on_expired=self._answer_expired,
            on_flood=self._answer_flood,
        )

    def _elapsed_ms(self, player: int, now: int) -> float:
        return max(0, now - self._starts[player]) / 1e6

    def _answer_line(self, player: int, raw: bytes, now: int) -> bool:
        return self._referee.line(player, raw, self._elapsed_ms(player, now), None)

    def _answer_closed(self, player: int, now: int) -> None:
        bot = self._bots[player]
        elapsed_ms = self._elapsed_ms(player, now)
        self._referee.closed(player, bot.how_it_ended(), bot.lines.partial, elapsed_ms)

    def _answer_expired(self, player: int, now: int) -> None:
        bot = self._bots[player]
        unread = bool(bot.unwritten)
        elapsed_ms = self._elapsed_ms(player, now)
        if bot.tree.namespaced and bot.closed_stdout():
            self._referee.closed(player, "it closed its stdout", bot.lines.partial, elapsed_ms)
            return
        self._referee.expired(player, bot.lines.partial, unread, elapsed_ms)

    def _answer_flood(self, player: int, detail: str, now: int) -> None:
        self._referee.flooded(player, detail, self._elapsed_ms(player, now))

    def _judge_unasked(self, player: int, bot: BotProcess) -> bool:
        """Judge what a player wrote since its last decision; whether that costs it the match."""
        try:
            while True:
                while (raw := bot.lines.take()) is not None:
                    if self._referee.idle_line(player, raw):
                        return True
                if not bot.stdout_open or not bot.read():
                    return False
        except Flood as error:
            self._referee.flooded(player, str(error), 0.0)
            return True

    # listening

    def _listen(
        self,
        deadlines: dict[int, int],
        on_line: Callable[[int, bytes, int], bool],
        on_closed: Callable[[int, int], None],
        on_expired: Callable[[int, int], None],
        on_flood: Callable[[int, str, int], None],
    ) -> None:
        """Hear out every player with a deadline until each is settled; all times in ns.

        ``on_line`` returns whether the line settled the player. Output counts in the order it was
        written, data before the end of the stream, and what was there at the deadline.
        """
        while deadlines:
            players = tuple(deadlines)
            left_ns = min(deadlines.values()) - time.monotonic_ns()
            writing = any(self._bots[player].unwritten for player in players)
            poll = (None if writing else self._polls.get(players)) or self._poll(players)
            events = poll.poll(max(0, -(-left_ns // 1_000_000)))
            now = time.monotonic_ns()
            ready = {fd for fd, _ in events}
            if self._lifeline in ready:
                raise RunnerGone
            for player in players:
                bot = self._bots[player]
                if ready.isdisjoint(bot.descriptors):
                    continue
                if bot.unwritten and bot.write(b"") and now < self._starts.get(player, 0):
                    deadlines[player] += now - self._starts[player]
                    self._starts[player] = now
                if bot.stderr in ready and not bot.read_stderr() and not bot.stderr_open:
                    self._polls.clear()
                try:
                    settled = bot.stdout in ready and self._hear(player, bot, on_line, now)
                    if not settled:
                        bot.check_stderr()
                except Flood as error:
                    on_flood(player, str(error), now)
                    settled = True
                if not settled and (not bot.stdout_open or bot.pidfd in ready):
                    settled = self._hear_rest(player, bot, on_line, on_closed, on_flood, now)
                if settled:
                    del deadlines[player]
            if deadlines:
                for player in [p for p, deadline in deadlines.items() if now >= deadline]:
                    on_expired(player, now)
                    del deadlines[player]

    def _hear(
        self, player: int, bot: BotProcess, on_line: Callable[[int, bytes, int], bool], now: int
    ) -> bool:
        """Read once and judge the lines; whether one of them settled the player."""
        bot.read()
        while (raw := bot.lines.take()) is not None:
            if on_line(player, raw, now):
                return True
        return False

    def _hear_rest(
        self,
        player: int,
        bot: BotProcess,
        on_line: Callable[[int, bytes, int], bool],
        on_closed: Callable[[int, int], None],
        on_flood: Callable[[int, str, int], None],
        now: int,
    ) -> bool:
        """Judge all that a bot that has ended wrote before, then its end."""
        try:
            while bot.stdout_open and bot.read():
                while (raw := bot.lines.take()) is not None:
                    if on_line(player, raw, now):
                        return True
        except Flood as error:
            on_flood(player, str(error), now)
            return True
        on_closed(player, now)
        return True

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

    # parting

    def _see_off_dropped(self) -> None:
        """Tell dropped players why, stop their processes, and keep their last words."""
        gone = [p for p in self._bots if self._referee.dropped(p)]
        if not gone:
            return
        self._polls.clear()
        for player in gone:
            self._bots[player].write(self._referee.farewell(player))
        _part([self._bots.pop(player) for player in gone], FAULT_GRACE_MS)
        for player in gone:
            self._stderr[player] = self._captures[player].last_lines()

    def _say_goodbye(self) -> None:
        """Tell those who stayed how it ended; keep their processes or have them leave."""
        leaving = []
        for player, bot in list(self._bots.items()):
            bot.write(self._referee.farewell(player))
            ready = self._referee.ready_message(player)
            if self._job.processes == "reuse" and ready is not None and not bot.unwritten:
                del self._bots[player]
                bot.settle(SETTLE_MS)
                bot.drain()
                self._bench.give(self._job.seats[player], bot, ready)
            else:
                leaving.append(bot)
        _part(leaving, FAULT_QUIT_MS if self._referee.faults else QUIT_MS)
        self._bots.clear()

    def _log(self, player: int, text: str) -> None:
        self._captures[player].add_line(text)


def _part(bots: list[BotProcess], grace_ms: int) -> None:
    """Have bots leave: ``quit``, the end of their input, a while to go, then kill them."""
    if not bots:
        return
    deadline = time.monotonic() + grace_ms / 1000
    poll = select.poll()
    open_fds: dict[int, BotProcess] = {}
    for bot in bots:
        if bot.write(f"{QUIT}\n".encode()):
            bot.close_stdin()
        for fd in (bot.stdout, bot.stderr, bot.pidfd):
            poll.register(fd, select.POLLIN)
            open_fds[fd] = bot
    staying = set(bots)
    while staying and (left := deadline - time.monotonic()) > 0:
        for fd, _ in poll.poll(left * 1000):
            bot = open_fds[fd]
            if fd == bot.pidfd or bot.over_caps():
                staying.discard(bot)
            elif fd == bot.stdout:
                if bot.discard() or bot.stdout_open:
                    continue
            elif bot.read_stderr() or bot.stderr_open:
                continue
            poll.unregister(fd)
    for bot in bots:
        bot.kill()
