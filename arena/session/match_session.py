"""Plays one match with real bot processes and real time, as the referee says.

One blocking loop for one or many bots at a time: a poll over everyone who owes an answer, one write
and usually one read a decision. The table below starts the bots, asks them and sees them off;
``listen.py`` is the loop, ``guard.py`` watches what each of them uses.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from arena.errors import MatchVoid, lack_of
from arena.match.charging import NOTHING, Spent, explains
from arena.match.clock import more_time
from arena.match.lines import Flood
from arena.match.opening import deal
from arena.match.protocol import HELLO, Malformed
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
from arena.process.memory import offer_to_kernel
from arena.process.meter import busy_ns
from arena.procfs import descendants
from arena.sandbox.complaints import explain
from arena.session.foreign_load import work_between, work_of_others
from arena.session.guard import Excess, Guard
from arena.session.launch import PERSON, launch
from arena.session.listen import Listener, RunnerGone
from arena.session.pool import QUIT_MS, Bench, part
from engines import load_game

__all__ = ["Bench", "RunnerGone", "play_match"]

LAST_WORD_MS = 200  # for bubblewrap to say how a bot ended
FAULT_QUIT_MS = 300  # time to leave where a fault has ended the match, whose cost is bounded
FAULT_GRACE_MS = 100  # a faulty one gets this long to read why
SETTLE_MS = 100  # a bot that is kept has this long to read `end` and say what it likes about it
WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the offer

Watch = Callable[[Referee], None]
Alive = Callable[[int | None], None]


def play_match(
    job: MatchJob,
    bench: Bench | None = None,
    lifeline: int | None = None,
    watch: Watch | None = None,
    alive: Alive | None = None,
) -> MatchResult:
    """Play one match with real processes and return its record and the bots' logs.

    Whatever the bots do, this returns within the limits of their clocks and leaves no process
    behind but those it puts on the bench.

    Args:
        job: what to play, complete.
        bench: where processes are kept when ``job.processes`` is ``reuse``.
        lifeline: a descriptor whose hang-up means that nobody waits for the match any more.
        watch: called after the start and after every node, to show the match to a person.
        alive: called at least every 100 ms while bots are waited for, with the player who was found
            over its memory, if one was.

    Raises:
        RunnerGone: the lifeline hung up; all bots have been killed.
        MatchVoid: the match went wrong through no fault of a bot; likewise.
    """
    if bench is None:
        bench = Bench()
        try:
            return play_match(job, bench, lifeline, watch, alive)
        finally:
            bench.dismiss()
    become_subreaper()
    alone = lifeline is not None  # a worker has no children but bots; whoever else calls us may
    try:
        spare = frozenset() if alone else children()
        table = _Table(job, bench, lifeline, watch, alive, spare)
        try:
            return table.play()
        finally:
            table.clear()
            bench.bury()
            kill_strays(spare | bench.pids(), alone=alone)
    except (OSError, MemoryError) as error:
        lack = lack_of(error)
        if lack is None:
            raise
        raise MatchVoid(f"this machine lacks {lack}: {error}", lack) from error


class _Table:
    """The bots at one match: started, asked and seen off."""

    def __init__(
        self,
        job: MatchJob,
        bench: Bench,
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
        self._bench = bench
        self._watch = watch
        self._alive = alive
        self._captures = [Capture() for _ in job.seats]  # of stderr and `log`
        self._stderr: dict[int, str] = {}
        self._pondered: set[int] = set()
        self._over: int | None = None  # who was found over its memory
        # nobody hurries a person, who may well close the lid meanwhile
        hurried = all(seat.bot.origin != PERSON for seat in job.seats)
        game = load_game(job.game)
        self.referee = Referee(job, game, deal(job, game), self.log)
        self.listener = Listener(self.bots, bench.own, lifeline, self._look, hurried=hurried)
        self._answers = _Answers(self)

    def play(self) -> MatchResult:
        """Start everyone, go through the game, say goodbye."""
        started = datetime.now(UTC)
        begin = time.monotonic_ns()
        referee = self.referee
        self._bench.look(begin)  # a match may be over before the next look
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
        record = referee.record(self._stderr, stamp, elapsed_ms, self._pondered)
        return MatchResult(self.job.number, record, tuple(c.text() for c in self._captures))

    def clear(self) -> None:
        """Kill whoever still sits here."""
        for bot in self.bots.values():
            bot.kill()
        self.bots.clear()

    def log(self, player: int, text: str) -> None:
        """Add a line to a bot's log of this match."""
        self._captures[player].add_line(text)

    # starting

    def _start_bots(self) -> None:
        referee = self.referee
        waiting: list[int] = []
        for player, seat in enumerate(self.job.seats):
            if player in self.job.over_memory:
                detail = "it held more than its memory when the process that ran the match was lost"
                referee.startup_fault(player, detail, Termination.MEMORY)
                continue
            kept = self._bench.take(seat) if self.job.processes == "reuse" else None
            if kept is not None:
                self._sit_down(player, kept.bot)
                self.guards[player].pondered = kept.pondered
                referee.resume(player, kept.ready)
                continue
            try:
                bot = BotProcess(launch(seat, self.job.sandbox))
            except LaunchError as error:
                referee.startup_fault(player, str(error))
                continue
            self._sit_down(player, bot)
            bot.write(HELLO)
            waiting.append(player)
        offered = time.monotonic_ns()
        deadlines = {
            player: offered + self.job.seats[player].clock.start_ms * 1_000_000
            for player in waiting
        }
        self.listener.hear_out(deadlines, _Hello(self), offered)

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
        starts = self.listener.starts
        deadlines: dict[int, int] = {}
        self._answers.starved.clear()
        self._answers.begun.clear()
        since = time.monotonic_ns()
        for player in players:
            bot, guard = self.bots[player], self.guards[player]
            bot.lines.next_decision()
            if self._judge_unasked(player, bot):
                continue
            if bot.lines.partial:
                self._answers.begun.add(player)
            _, block, limit_ms, margin_ms = referee.ask(player)
            if guard.excess is not None:
                referee.exceeded(player, *guard.excess, NOTHING)
                continue
            offered = time.monotonic_ns()
            guard.ask(offered)
            whole = bot.write(block)
            start = time.monotonic_ns() if whole else offered + WRITE_GRACE_NS
            starts[player] = start
            deadlines[player] = start + (limit_ms + margin_ms) * 1_000_000
        self.listener.hear_out(deadlines, self._answers, since)

    def _judge_unasked(self, player: int, bot: BotProcess) -> bool:
        """Judge what a player wrote since its last decision; whether that costs it the match."""
        try:
            while True:
                while (raw := bot.lines.take()) is not None:
                    if self.referee.idle_line(player, raw):
                        return True
                if not bot.stdout_open or not bot.read():
                    return False
        except Flood as error:
            self.referee.flooded(player, str(error), NOTHING)
            return True

    # looking

    def _look(self, now: int) -> Iterator[tuple[int, Excess]]:
        """Look at everybody's memory, and at what those do who are not asked."""
        if self._alive:
            self._alive(self._over)
        self._bench.look(now)
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

    def pids(self) -> frozenset[int]:
        """Return the process ids of this match: of all bots, of what keeps them, and our own."""
        found = {os.getpid()}
        for bot in self.bots.values():
            found |= {bot.pid, *bot.tree.members(), *descendants(bot.pid)}
        for pid in strays(self._spare, alone=self._alone):  # orphans of bots come to us
            found |= {pid, *descendants(pid)}
        return frozenset(found)

    def cpu_ns(self) -> int:
        """Return the CPU time that this match has used so far: all bots, and we ourselves."""
        now = time.monotonic_ns()
        for guard in self.guards.values():
            guard.bot.meter.walk()
        used = sum(guard.bot.meter.read(now).cpu_ns for guard in self.guards.values())
        return used + time.process_time_ns()

    # parting

    def _see_off_dropped(self) -> None:
        """Tell dropped players why, stop their processes, and keep their last words."""
        gone = [p for p in self.bots if self.referee.dropped(p)]
        if not gone:
            return
        self.listener.forget()
        for player in gone:
            self._stand_up(player).write(self.referee.farewell(player))
        part([self.bots.pop(player) for player in gone], FAULT_GRACE_MS)
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
                self._bench.give(self.job.seats[player], bot, ready, ponder=self.job.ponder)
            else:
                leaving.append(bot)
        part(leaving, FAULT_QUIT_MS if self.referee.faults else QUIT_MS)
        self.bots.clear()

    def _stand_up(self, player: int) -> BotProcess:
        """Take a player's guard away; a bot that was stopped goes on, to read the last lines."""
        guard = self.guards.pop(player)
        guard.wake()
        if guard.pondered:
            self._pondered.add(player)
        return guard.bot


class _Hello:
    """Judges what bots say before the game."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._referee = table.referee

    def line(self, player: int, raw: bytes, now: int) -> bool:
        try:
            ready = self._referee.ready(player, raw)
        except Malformed as error:
            self._referee.startup_fault(player, str(error), cause=error.cause)
            return True
        if ready:
            main = self._table.bots[player].tree.main()
            if main is not None:
                offer_to_kernel(main)
        return ready

    def thinks(self, player: int) -> None:
        pass

    def closed(self, player: int, now: int) -> None:
        bot, guard = self._table.bots[player], self._table.guards[player]
        if guard.ended_by_group() and (excess := guard.why_it_ended()):
            self.exceeded(player, excess, now)
            return
        _check_cut_off(bot)
        if bot.has_exited(wait_ms=50) and not bot.tree.ran(LAST_WORD_MS):
            bot.drain()
            problem = explain(bot.capture.text())
            reason = f"a bot could not be isolated: {problem.reason}; {problem.remedy}"
            raise MatchVoid(reason, problem.lack)
        self._referee.startup_fault(player, f"{bot.how_it_ended()} before it said ready")

    def expired(self, player: int, now: int) -> None:
        start_ms = self._table.job.seats[player].clock.start_ms
        self._referee.startup_fault(player, f'no "ready" within {start_ms} ms')

    def flooded(self, player: int, detail: str, now: int) -> None:
        self._referee.startup_fault(player, f"{detail}, before it said ready")

    def exceeded(self, player: int, excess: Excess, now: int) -> None:
        self._referee.startup_fault(player, excess.detail, excess.code)


class _Answers:
    """Judges what bots say that are asked.

    Attributes:
        starved: for those whose deadline has moved at the open node, what it is that keeps them.
        begun: those whose next line was begun before they were asked.
    """

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._referee = table.referee
        self.starved: dict[int, _Starved] = {}
        self.begun: set[int] = set()

    def line(self, player: int, raw: bytes, now: int) -> bool:
        table = self._table
        guard = table.guards[player]
        wall_ns = now - table.listener.late_ns - table.listener.starts[player]
        spent = guard.spent(wall_ns, now)
        if player in self.begun:
            self.begun.remove(player)
            settled = self._referee.early_line(player, raw, spent)
        else:
            settled = self._referee.line(player, raw, spent)
        if settled:
            guard.answered(now)
        return settled

    def thinks(self, player: int) -> None:
        self._table.guards[player].thinks()

    def closed(self, player: int, now: int) -> None:
        guard, spent = self._spent(player, now)
        bot = guard.bot
        how = bot.how_it_ended()
        excess = guard.why_it_ended()
        if excess is None:
            _check_cut_off(bot)
            self._referee.closed(player, how, bot.lines.partial, spent)
        else:
            self._referee.exceeded(player, *excess, spent)

    def expired(self, player: int, now: int) -> int | None:
        """Judge a player past limit and margin: is it out of time, or does it get no CPU?

        Raises:
            MatchVoid: it got none for so long that nobody waits any longer, because of others'
                work on this machine.
        """
        guard, spent = self._spent(player, now)
        limit_ms = self._referee.limit_ms(player)
        cores = len(os.sched_getaffinity(0))
        unsettled_ns = guard.bot.meter.unsettled_ns(now) if spent.charged_ms > limit_ms else 0
        more_ms = more_time(limit_ms, spent, cores=cores, unsettled_ms=unsettled_ns / 1e6)
        if more_ms is not None:
            surely_ms = max(spent.cpu_ms or 0.0, spent.charged_ms - unsettled_ns / 1e6)
            waited_ms = spent.wall_ms - surely_ms
            if player not in self.starved:
                self._make_room()
                self.starved[player] = _Starved(self._table, waited_ms)
            if more_ms > 0:
                return now + int(more_ms * 1e6)
            if self.starved[player].by_others(waited_ms):
                raise MatchVoid(
                    f"this machine was too busy: player {player} waited {waited_ms:.0f} ms for a"
                    " CPU in one decision; the match counts for nobody"
                )
        bot = guard.bot
        if bot.tree.namespaced and bot.closed_stdout():
            self._referee.closed(player, "it closed its stdout", bot.lines.partial, spent)
        else:
            self._referee.expired(player, bot.lines.partial, bool(bot.unwritten), spent)
        return None

    def _make_room(self) -> None:
        """Stop those at the table who are not asked: it may be they who take the CPU.

        Where all may think at all times that is no fault of theirs, and yet nobody may lose by it.
        """
        for player, guard in self._table.guards.items():
            if not self._referee.is_open(player):
                guard.stop()

    def flooded(self, player: int, detail: str, now: int) -> None:
        self._referee.flooded(player, detail, self._spent(player, now)[1])

    def exceeded(self, player: int, excess: Excess, now: int) -> None:
        self._referee.exceeded(player, *excess, self._spent(player, now)[1])

    def _spent(self, player: int, now: int) -> tuple[Guard, Spent]:
        guard = self._table.guards[player]
        return guard, guard.spent(now - self._table.listener.starts[player], now)


def _check_cut_off(bot: BotProcess) -> None:
    """Raise ``MatchVoid`` if what isolates a bot was killed, which is not the bot's doing."""
    if bot.was_cut_off():
        raise MatchVoid(
            f"the process that isolates a bot was killed from outside: {bot.how_it_ended()};"
            " the match counts for nobody"
        )


class _Starved:
    """What the machine did from the moment on at which a player seemed to get no CPU.

    A void match is played again, so no bot may bring it about. Work outside the match is what kept
    the cores busy beside it, and no more of it than living processes of others can have done:
    children that a bot has buried unseen are its own work, whoever else it might have been.
    """

    def __init__(self, table: _Table, waited_ms: float) -> None:
        self._table = table
        self._waited_ms = waited_ms
        self._cores = frozenset(os.sched_getaffinity(0))
        self._busy_ns = self._busy()
        self._others = work_of_others(table.pids())

    def by_others(self, waited_ms: float) -> bool:
        """Return whether work outside the match explains how long the player has waited since.

        Args:
            waited_ms: how long that is, with what it had waited before.
        """
        now = work_of_others(self._table.pids())
        seen_ns = work_between(self._others, now, self._cores)
        outside_ns = min(self._busy() - self._busy_ns, seen_ns)
        return explains(outside_ns, int((waited_ms - self._waited_ms) * 1e6))

    def _busy(self) -> int:
        return busy_ns(self._cores) - self._table.cpu_ns()
