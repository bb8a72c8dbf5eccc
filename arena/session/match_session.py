"""One match with real bot processes and real time, as the referee says.

One blocking loop for one or many bots at a time: a poll over everyone who owes an answer, one write
and usually one read a decision. Playing a match calls the methods of a session in order:

    with match_session(job) as session:
        session.greet()
        session.begin()
        while not session.referee.over:
            session.play()
        result = session.finish()

``straight.py`` plays usual decisions. For all others ``loop.py`` takes what it hears to the
referee, ``seated.py`` is what is known of one player. Each of them knows only those named after it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import lru_cache, partial

from arena.machine.crash import cross
from arena.machine.heartbeat import ENGINE, LISTENING, WORKING, Heartbeat
from arena.match.opening import Deal, deal
from arena.match.player import Stage
from arena.match.protocol import Ready
from arena.match.referee import Log, Referee
from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess, LaunchError
from arena.process.redactor import Redactor
from arena.process.silence import engine_hangs
from arena.sandbox.interface import Launch
from arena.session.launch import launch
from arena.session.loop import Loop, Owner, RunnerGone
from arena.session.parting import dismiss
from arena.session.pool import QUIT_MS, Pool
from arena.session.seated import Script, SeatedBot
from arena.session.straight import play_straight
from arena.session.used_up import used_up
from arena.session.watcher import EngineHangs, watched
from arena.values.errors import Lack, MatchVoid, lack_of
from arena.values.model import Cause, MatchJob, MatchResult, Termination
from arena.values.said import SaidWhere
from engines import Game, load_game

__all__ = ["MatchSession", "Pool", "RunnerGone", "Script", "match_session", "play_match"]

FAULT_QUIT_MS = 300  # time to leave where a fault has ended the match, whose cost is bounded

Watch = Callable[[Referee], None]


def play_match(
    job: MatchJob,
    pool: Pool | None = None,
    owner: Owner | None = None,
    watch: Watch | None = None,
) -> MatchResult:
    """Play one match with real processes and return its record and what the bots said.

    Whatever the bots do, this returns within the limits of their clocks and leaves no process
    behind but those it puts into the pool.

    Args:
        job: what to play, complete.
        pool: where processes are kept when ``job.processes`` is ``reuse``.
        owner: of the worker that this is.
        watch: called after the start and after every node, to show the match to a person.

    Raises:
        RunnerGone: nobody waits for the match any more; all bots have been killed.
        MatchVoid: the match went wrong through no fault of a bot; likewise.
    """
    with match_session(job, pool, owner) as session:
        session.greet()
        session.begin()
        if watch:
            watch(session.referee)
        while not session.referee.over:
            if watch:
                session.ask(session.referee.open_node())
                session.close()
                watch(session.referee)
            else:
                session.play()
        return session.finish()


@contextmanager
def match_session(
    job: MatchJob,
    pool: Pool | None = None,
    owner: Owner | None = None,
    referee: Callable[[MatchJob, Game, Deal, Log], Referee] = Referee,
) -> Iterator[MatchSession]:
    """Open a session for a match, and leave no process behind but those in the pool.

    Args:
        job: what to play, complete.
        pool: where processes are kept, as for ``play_match``.
        owner: likewise.
        referee: makes what decides.

    Raises:
        RunnerGone: nobody waits for the match any more; all bots have been killed.
        MatchVoid: the match went wrong through no fault of a bot; likewise.
    """
    kept = Pool() if pool is None else pool
    alone = owner is None  # else this is a worker, which the runner watches
    owner = owner or Owner(-1, Heartbeat())
    heartbeat = owner.heartbeat
    heartbeat.begin("")
    heartbeat.alive, heartbeat.doing = time.monotonic(), ENGINE
    with ExitStack() as ends:
        ends.enter_context(_judged(job, kept, heartbeat))
        if alone:
            try:
                ends.enter_context(watched(heartbeat))
            except OSError as error:
                _check_lack(error)
                raise
        if pool is None:
            ends.callback(kept.close)
        game = load_game(job.game)
        seats: list[SeatedBot] = []

        def log(player: int, source: SaidWhere, text: str) -> None:
            seats[player].capture.add_line(text, source)

        dealt = deal(job, game)
        secret = job.tournament is not None and game.type.information != "perfect"
        heartbeat.begin("" if secret else dealt.setup)
        decides = referee(job, game, dealt, log)
        seats += [SeatedBot(player) for player in decides.players]
        heartbeat.doing = WORKING
        session = MatchSession(job, Loop(decides, seats, kept, owner))
        try:
            yield session
        finally:
            session.clear()
            kept.reap()


@contextmanager
def _judged(job: MatchJob, kept: Pool, heartbeat: Heartbeat) -> Iterator[None]:
    """Say of what goes wrong in a match, through no fault of a bot, that it is void."""
    try:
        yield
    except EngineHangs:
        raise MatchVoid(engine_hangs(job.game, heartbeat)) from None
    except MatchVoid as void:
        if void.lack is not None:
            kept.evict_all()
        raise
    except (OSError, MemoryError) as error:
        # what else may be lacking is seen where bots are started: no bot may bring that about here
        if isinstance(error, MemoryError) or lack_of(error) is Lack.DESCRIPTORS:
            kept.evict_all()
            _check_lack(error)
        raise
    finally:
        heartbeat.doing = LISTENING


class MatchSession:
    """The bots of one match: greeted, asked, heard and ended.

    Attributes:
        referee: what decides.
        seats: all of them, by player.
        loop: what hears them.
        start: starts a process; it may be one that does more than most.
    """

    start: Callable[[Launch], BotProcess] = BotProcess

    def __init__(self, job: MatchJob, loop: Loop) -> None:
        """Begin a match in which no bot sits yet; ``loop`` has its referee, seats and pool."""
        self.referee = loop.referee
        self.seats = loop.seats
        self.loop = loop
        self._job = job
        self._pool = loop.pool
        self._started_ms = time.time_ns() // 1_000_000
        self._begin = time.monotonic_ns()

    # starting

    def greet(self) -> None:
        """Start the bots that do not run yet, one after the other, and wait until they are ready.

        So nobody takes the CPU from another that starts: who is ready is stopped until it is asked.
        """
        referee, now = self.referee, time.monotonic_ns()
        self._pool.look(now)  # a match may be over before the next look
        for player, seat in enumerate(self.seats):
            if seat.player.stage is not Stage.ABSENT:
                continue
            if (code := dict(self._job.lost_by).get(player)) is not None:
                what = "more than its memory" if code is Termination.MEMORY else "its own pipe"
                detail = f"it held {what} when the process that ran the match was lost"
                referee.fail(player, Verdict(code, detail, Cause.NOT_STARTED))
                continue
            entrant = seat.player.seat.entrant
            kept = self._pool.take(entrant, player) if self._job.processes == "reuse" else None
            if kept is not None:
                self.resume(player, kept.bot, kept.ready)
                seat.idle.pondered = kept.idle.pondered
                continue
            try:
                self._greet(seat)
            except LaunchError as error:
                verdict = Verdict(Termination.STARTUP, str(error), Cause.NOT_STARTED)
                referee.fail(player, verdict)
                continue
            except OSError as error:
                _check_lack(error)
                raise
            cross("hello")
            self.loop.wait_for_start(seat)
            if not entrant.bot.relayed:
                seat.idle.stop()
        for seat in self.loop.here():
            if seat.idle.ponder:
                seat.idle.wake()
        cross("ready")

    def _greet(self, seat: SeatedBot) -> None:
        """Start and greet a bot.

        Raises:
            LaunchError: it cannot be executed.
            OSError: this machine has no process or descriptor left for it, or no memory.
        """
        cross("spawn", match=self._job.number)
        with launch(seat.player.seat.entrant, self._job.sandbox) as how:
            seat.as_our_user = how.slot is None
            bot = self.start(how)
        cross("spawned", match=self._job.number)
        self._sit(seat, bot)
        bot.write(self.referee.greet(seat.player.number))

    def start_only(self, player: int, script: Script | None = None) -> None:
        """Have one player alone start a process; all others are ready, and act by ``script``.

        Without a script they are never to be asked.
        """
        for seat in self.seats:
            if seat.player.number != player:
                self.referee.resume(seat.player.number, Ready(want=()))
                seat.script = script

    def resume(self, player: int, bot: BotProcess, ready: Ready) -> None:
        """Seat a bot whose process said that it is ready in an earlier match."""
        self._sit(self.seats[player], bot)
        self.referee.resume(player, ready)

    def begin(self) -> None:
        """Begin the game, and end the bots that are not ready.

        Raises:
            MatchVoid: one of them lacked what its user's other bots have used up.
        """
        self.loop.engine(self.referee.begin)
        self.loop.dismiss_dropped()
        self.check_used_up()

    def check_used_up(self) -> None:
        """Raise ``MatchVoid`` if a bot did not start, and its user has too little for a start.

        If the bot is gone, with all it left behind, others have used that up.
        """
        failed = [seat for seat in self.seats if seat.player.code is Termination.STARTUP]
        if any(seat.as_our_user for seat in failed):
            self._pool.reap(self.loop.pids())
            lack = used_up()
            if lack is not None:
                what = f"a bot could not start: this machine lacks {lack} for its user"
                raise MatchVoid(what, lack)

    def _sit(self, seat: SeatedBot, bot: BotProcess) -> None:
        ponder = self._job.ponder or seat.player.seat.entrant.bot.relayed
        bot.heartbeat = self.loop.heartbeat
        if bot.hidden is not None:
            bot.lines.hide = partial(self._hide, player=seat.player.number, redactor=bot.hidden)
        seat.sit(bot, self.loop.listening, ponder=ponder)
        self.loop.next_check_ns = min(self.loop.next_check_ns, bot.next_check_ns)

    def _hide(self, line: bytes, *, player: int, redactor: Redactor) -> bytes:
        """Return a line without secrets; a legal action is one, whatever is in it."""
        shown = redactor.in_line(line)
        if shown != line and self.loop.engine(self.referee.is_legal, player, line):
            return line
        return shown

    # asking

    def play(self) -> None:
        """Play usual decisions, and then a node that is not as usual, if one is left."""
        node = play_straight(self.loop)
        if node:
            self.ask(node)
            self.close()

    def ask(self, node: tuple[int, ...]) -> None:
        """Ask everyone of an open node, each on its own clock, until all is settled.

        Who was asked already is asked no more.
        """
        if self.referee.over:  # a person has resigned meanwhile
            return
        for player in node:
            if (script := self.seats[player].script) is not None:
                self.loop.engine(self._act, player, script)
        self.loop.ask(node)

    def close(self) -> None:
        """Carry out what was answered, and end the bots that were dropped."""
        if not self.referee.over:
            self.loop.engine(self.referee.close_node)
        self.loop.dismiss_dropped()

    def _act(self, player: int, script: Script) -> None:
        self.referee.ask(player)
        action = script(self.referee.course.state, player)
        self.referee.line(player, f"play {action}".encode("ascii"))

    # parting

    def finish(self) -> MatchResult:
        """Say how it ended, keep the bots or have them leave, and return what the match leaves."""
        elapsed_ms = (time.monotonic_ns() - self._begin) // 1_000_000
        cross("goodbye")
        self._end_all()
        cross("ended")
        faults = self.referee.faults
        stderr = {fault.player: self.seats[fault.player].capture.last_lines() for fault in faults}
        pondered = [seat.player.number for seat in self.seats if seat.pondered]
        record = self.referee.record(stderr, started_text(self._started_ms), elapsed_ms, pondered)
        said = tuple([seat.capture.pieces() for seat in self.seats])
        wrote = tuple([seat.wrote.pieces() for seat in self.seats])
        return MatchResult(self._job.number, record, said, wrote)

    def clear(self) -> None:
        """Kill the bots that are still here."""
        for seat in self.loop.here():
            seat.bot.kill()
            seat.here = False

    def _end_all(self) -> None:
        """Send the result to the bots that stayed; keep their processes or have them leave."""
        leaving, reuse = [], self._job.processes == "reuse"
        for seat in self.loop.here():
            bot, player = seat.bot, seat.player
            seat.leave()
            farewell = self.referee.farewell(player.number)
            ready = player.ready if reuse else None
            if ready is not None and bot.write(farewell):
                if not bot.is_quiet():
                    bot.drain()
                seat.here = False
                self._pool.put(player.seat.entrant, bot, ready, ponder=self._job.ponder)
            else:
                if ready is None:  # `quit` goes with it, so that the bot wakes once
                    bot.unwritten += farewell
                leaving.append(seat)
        if leaving:
            grace_ms = FAULT_QUIT_MS if self.referee.faults else QUIT_MS
            dismiss(leaving, grace_ms, self._pool.look)
        for seat in leaving:
            seat.here = False
            if seat.player.seat.entrant.bot.origin != "bundled":
                used = max(seat.holds.held_bytes, seat.bot.peak_bytes())
                self.loop.heartbeat.used = max(self.loop.heartbeat.used, used)


def _check_lack(error: OSError | MemoryError) -> None:
    """Raise ``MatchVoid`` if an error says what this machine lacks."""
    lack = lack_of(error)
    if lack is not None:
        raise MatchVoid(f"this machine lacks {lack}: {error}", lack) from error


def started_text(since_1970_ms: int) -> str:
    """Return when a match began, as records have it."""
    return f"{_second(since_1970_ms // 1000)}.{since_1970_ms % 1000:03d}Z"


@lru_cache(maxsize=1)  # many matches begin in one, and to write it takes 6 µs
def _second(since_1970: int) -> str:
    return datetime.fromtimestamp(since_1970, UTC).strftime("%Y-%m-%dT%H:%M:%S")
