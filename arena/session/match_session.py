"""Plays one match with real bot processes and real time, as the referee says.

One blocking loop for one or many bots at a time: a poll over everyone who owes an answer, one write
and usually one read a decision. The session below starts the bots, asks them and sees them off;
``listen.py`` is the loop, ``judge.py`` takes what it hears to the referee, ``guard.py`` watches
what each of them uses.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from arena.crash import cross
from arena.errors import MatchVoid, lack_of
from arena.match.lines import Flood
from arena.match.opening import deal
from arena.match.player import Excess
from arena.match.referee import Referee
from arena.model import MatchJob, MatchResult, Termination
from arena.process.bot import (
    BotProcess,
    LaunchError,
    become_subreaper,
    children,
    kill_strays,
    strays,
)
from arena.process.capture import Capture
from arena.process.meter import busy_ns
from arena.procfs import descendants
from arena.session.foreign_load import work_between, work_of_others
from arena.session.guard import Guard
from arena.session.judge import Judge
from arena.session.launch import PERSON, launch
from arena.session.listen import Listener, RunnerGone
from arena.session.pool import QUIT_MS, Pool, dismiss
from engines import load_game

__all__ = ["Pool", "RunnerGone", "play_match"]

FAULT_QUIT_MS = 300  # time to leave where a fault has ended the match, whose cost is bounded
FAULT_GRACE_MS = 100  # a faulty one gets this long to read why
SETTLE_MS = 100  # a bot that is kept has this long to read `end` and say what it likes about it
WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the offer

Watch = Callable[[Referee], None]
Alive = Callable[[int | None], None]


def play_match(
    job: MatchJob,
    pool: Pool | None = None,
    lifeline: int | None = None,
    watch: Watch | None = None,
    alive: Alive | None = None,
) -> MatchResult:
    """Play one match with real processes and return its record and the bots' logs.

    Whatever the bots do, this returns within the limits of their clocks and leaves no process
    behind but those it puts into the pool.

    Args:
        job: what to play, complete.
        pool: where processes are kept when ``job.processes`` is ``reuse``.
        lifeline: a descriptor whose hang-up means that nobody waits for the match any more.
        watch: called after the start and after every node, to show the match to a person.
        alive: called at least every 100 ms while bots are waited for, with the player who was found
            over its memory, if one was.

    Raises:
        RunnerGone: the lifeline hung up; all bots have been killed.
        MatchVoid: the match went wrong through no fault of a bot; likewise.
    """
    if pool is None:
        pool = Pool()
        try:
            return play_match(job, pool, lifeline, watch, alive)
        finally:
            pool.dismiss()
    become_subreaper()
    alone = lifeline is not None  # a worker has no children but bots; another caller may
    try:
        spare = frozenset() if alone else children()
        session = _MatchSession(job, pool, lifeline, watch, alive, spare)
        try:
            return session.play()
        finally:
            session.clear()
            pool.bury()
            kill_strays(spare | pool.pids(), alone=alone)
    except (OSError, MemoryError) as error:
        lack = lack_of(error)
        if lack is None:
            raise
        raise MatchVoid(f"this machine lacks {lack}: {error}", lack) from error


class _MatchSession:
    """The bots at one match: started, asked and seen off."""

    def __init__(
        self,
        job: MatchJob,
        pool: Pool,
        lifeline: int | None,
        watch: Watch | None,
        alive: Alive | None,
        spare: frozenset[int],
    ) -> None:
        self.job = job
        self._spare = spare
        self._alone = lifeline is not None
        self.bots: dict[int, BotProcess] = {}
        self.guards: dict[int, Guard] = {}
        self._pool = pool
        self._watch = watch
        self._alive = alive
        self._captures = [Capture() for _ in job.seats]  # of stderr and `log`
        self._stderr: dict[int, str] = {}
        self._pondered: set[int] = set()
        self._told: set[int] = set()  # who was told that it was dropped
        self._over: int | None = None  # who was found over its memory
        # nobody hurries a person, who may well close the lid meanwhile
        hurried = all(seat.bot.origin != PERSON for seat in job.seats)
        game = load_game(job.game)
        self.referee = Referee(job, game, deal(job, game), self.log)
        self._judge = Judge(self.referee, self.guards, self._tell_dropped, self._outside)
        self.listener = Listener(
            self.bots, self._judge, pool.own, lifeline, self._look, hurried=hurried
        )

    def play(self) -> MatchResult:
        """Start everyone, go through the game, say goodbye."""
        started = datetime.now(UTC)
        begin = time.monotonic_ns()
        referee = self.referee
        self._pool.look(begin)  # a match may be over before the next look
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
        cross("goodbye")
        self._say_goodbye()
        cross("buried")
        stamp = started.strftime("%Y-%m-%dT%H:%M:%S.") + f"{started.microsecond // 1000:03d}Z"
        record = referee.record(self._stderr, stamp, elapsed_ms, self._pondered)
        return MatchResult(self.job.number, record, tuple(c.text() for c in self._captures))

    def clear(self) -> None:
        """Kill the bots that are still running."""
        for bot in self.bots.values():
            bot.kill()
        self.bots.clear()

    def log(self, player: int, text: str) -> None:
        """Add a line to a bot's log of this match."""
        self._captures[player].add_line(text)

    # starting

    def _start_bots(self) -> None:
        referee = self.referee
        deadlines: dict[int, int] = {}
        for player, seat in enumerate(self.job.seats):
            if player in self.job.over_memory:
                detail = "it held more than its memory when the process that ran the match was lost"
                referee.not_started(player, detail, Termination.MEMORY)
                continue
            kept = self._pool.take(seat) if self.job.processes == "reuse" else None
            if kept is not None:
                self._sit_down(player, kept.bot)
                self.guards[player].pondered = kept.pondered
                referee.resume(player, kept.ready)
                continue
            try:
                cross("spawn")
                bot = BotProcess(launch(seat, self.job.sandbox))
                cross("spawned")
            except LaunchError as error:
                referee.not_started(player, str(error))
                continue
            self._sit_down(player, bot)
            question = referee.greet(player)
            bot.write(question.block)
            deadlines[player] = time.monotonic_ns() + question.limit_ms * 1_000_000
        cross("hello")
        self.listener.hear_out(deadlines, time.monotonic_ns())
        cross("ready")

    def _sit_down(self, player: int, bot: BotProcess) -> None:
        bot.capture = self._captures[player]
        bot.lines.next_decision()
        self.bots[player] = bot
        seat = self.job.seats[player]
        ours = seat.bot.origin == PERSON
        self.listener.look_at = min(self.listener.look_at, bot.look_at)
        self.guards[player] = Guard(
            bot, None if ours else seat.memory_bytes, ponder=self.job.ponder or ours
        )

    # asking

    def _ask(self, players: tuple[int, ...]) -> None:
        """Ask everyone who owes an action, each on its own clock, until all is settled."""
        referee = self.referee
        deadlines: dict[int, int] = {}
        since = time.monotonic_ns()
        for player in players:
            bot, guard = self.bots[player], self.guards[player]
            bot.lines.next_decision()
            if self._judge_unasked(player, bot):
                self._tell_dropped(player)
                continue
            begun = bool(bot.lines.partial)
            block, limit_ms, margin_ms = referee.ask(player, begun=begun)
            if guard.excess is not None:
                referee.exceeded(player, guard.excess)
                self._tell_dropped(player)
                continue
            cross("message")
            offered = time.monotonic_ns()
            guard.ask(offered)
            whole = bot.write(block)
            start = time.monotonic_ns() if whole else offered + WRITE_GRACE_NS
            self._judge.asked(player, start)
            deadlines[player] = start + (limit_ms + margin_ms) * 1_000_000
        self.listener.hear_out(deadlines, since)
        cross("answer")

    def _judge_unasked(self, player: int, bot: BotProcess) -> bool:
        """Judge what a player wrote since its last decision; whether that costs it the match."""
        try:
            while True:
                while (raw := bot.lines.take()) is not None:
                    if self.referee.line(player, raw):
                        return True
                if not bot.stdout_open or not bot.read():
                    return False
        except Flood as error:
            self.referee.flooded(player, error)
            return True

    # looking

    def _look(self, now: int) -> Iterator[tuple[int, Excess]]:
        """Look at everybody's memory, and at what those do who are not asked."""
        if self._alive:
            self._alive(self._over)
        self._pool.look(now)
        for player, guard in self.guards.items():
            excess = guard.look(now)
            if excess is None:
                continue
            held = guard.held_bytes
            self.log(player, f"[referee] killed: {excess.detail} ({held} bytes were counted)")
            if excess.code is Termination.MEMORY:
                self._over = player
                if self._alive:  # first of all: the next to be killed may be we
                    self._alive(player)
            guard.bot.tree.kill()
            yield player, excess

    def _outside(self) -> Callable[[], float]:
        """Begin to measure the CPU time used outside of the match; returns what tells it, in ms.

        A void match is played again, so no bot may bring it about. Work outside the match is what
        kept the cores busy beside it, and no more of it than living processes of others can have
        done: children that a bot has buried unseen are its own work, whoever else it might have
        been.
        """
        cores = frozenset(os.sched_getaffinity(0))

        def busy() -> int:
            return busy_ns(cores) - self._cpu_ns()

        busy_before, others = busy(), work_of_others(self._pids())

        def outside_ms() -> float:
            seen_ns = work_between(others, work_of_others(self._pids()), cores)
            return min(busy() - busy_before, seen_ns) / 1e6

        return outside_ms

    def _pids(self) -> frozenset[int]:
        """Return the process ids of this match: of all bots, of what keeps them, and our own."""
        found = {os.getpid()}
        for bot in self.bots.values():
            found |= {bot.pid, *bot.tree.members(), *descendants(bot.pid)}
        for pid in strays(self._spare, alone=self._alone):  # orphans of bots come to us
            found |= {pid, *descendants(pid)}
        return frozenset(found)

    def _cpu_ns(self) -> int:
        """Return the CPU time that this match has used so far: all bots, and we ourselves."""
        now = time.monotonic_ns()
        for guard in self.guards.values():
            guard.bot.meter.walk()
        used = sum(guard.bot.meter.read(now).cpu_ns for guard in self.guards.values())
        return used + time.process_time_ns()

    # parting

    def _tell_dropped(self, player: int) -> None:
        """Tell a player why it was dropped, if it was, while others may still be asked."""
        if self.referee.dropped(player) and player not in self._told:
            self._told.add(player)
            self.bots[player].write(self.referee.farewell(player))

    def _see_off_dropped(self) -> None:
        """Stop the processes of dropped players, and keep their last words."""
        gone = [p for p in self.bots if self.referee.dropped(p)]
        if not gone:
            return
        self.listener.forget()
        for player in gone:
            self._tell_dropped(player)
            self._stand_up(player)
        dismiss([self.bots.pop(player) for player in gone], FAULT_GRACE_MS)
        for player in gone:
            self._stderr[player] = self._captures[player].last_lines()

    def _say_goodbye(self) -> None:
        """Tell those who stayed how it ended; keep their processes or have them leave."""
        leaving = []
        for player in list(self.bots):
            bot = self._stand_up(player)
            bot.write(self.referee.farewell(player))
            ready = self.referee.ready_message(player)
            if self.job.processes == "reuse" and ready is not None and not bot.unwritten:
                del self.bots[player]
                bot.settle(SETTLE_MS)
                bot.drain()
                self._pool.give(self.job.seats[player], bot, ready, ponder=self.job.ponder)
            else:
                leaving.append(bot)
        dismiss(leaving, FAULT_QUIT_MS if self.referee.faults else QUIT_MS)
        self.bots.clear()

    def _stand_up(self, player: int) -> BotProcess:
        """Take a player's guard away; a bot that was stopped goes on, to read the last lines."""
        guard = self.guards.pop(player)
        guard.wake()
        if guard.pondered:
            self._pondered.add(player)
        return guard.bot
