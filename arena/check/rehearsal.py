"""A match of which one bot is looked at closely: it has a process, all others are played here.

The session is that of matches, and so is the referee: a fault here is a fault there.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from arena.check.steps import Subject
from arena.check.transcript import Change, TranscribedBot, Transcript
from arena.match.charging import pondered
from arena.match.lines import Flood
from arena.match.protocol import Malformed, Unknown, parse
from arena.match.referee import Referee
from arena.play.once import job_for
from arena.process.bot import BotProcess
from arena.sandbox import find_level
from arena.sandbox.interface import Launch
from arena.sandbox.seccomp import ends_at_network
from arena.session.match_session import MatchSession, match_session
from arena.session.parting import wait_for_ends
from arena.session.pool import SETTLE_MS
from arena.values.errors import near_miss
from arena.values.model import Cause, Decision, Fault, Termination
from arena.values.untrusted import show
from engines import Game, IllegalAction, State

SEED = 2  # with 1, Arborius is over before everybody had a turn
LAST_WORDS_MS = 500
LOOK_MS = 25  # from one look for last words to the next
WAITED_FOR = (Cause.SILENT, Cause.UNREAD, Cause.UNFINISHED)  # what it was when its time was up


@contextmanager
def rehearsal(
    subject: Subject,
    rules: Game | None = None,
    me: int = 0,
    *,
    decisions: int | None = None,
    change: Change | None = None,
    watches_network: bool = False,
) -> Iterator[Rehearsal]:
    """Open a match for a bot against random players, always on one deal; nothing of it is left.

    Args:
        subject: the bot.
        rules: what is played; the first of its games if left out.
        me: the seat of the bot.
        decisions: how many of each player end the match.
        change: is made to every block before it is written.
        watches_network: kill the bot when it tries to reach the network.
    """
    rules = rules or subject.games[0]
    entrant = replace(subject.entrant, clock=subject.clock)
    entrants = [entrant] * rules.num_players  # the others have no process
    job = job_for(str(rules), entrants, SEED, subject.clock, None, subject.sandbox)
    most = None if decisions is None else decisions * rules.num_players
    # what it does unasked is no part of a check
    job = replace(job, max_decisions=most, ponder=True)
    transcript = Transcript(change)

    def start(how: Launch) -> TranscribedBot:
        return TranscribedBot(_ending(how) if watches_network else how, transcript)

    rng = random.Random(job.seed)

    def act(state: State, player: int) -> str:
        return state.sample_action(player, rng)

    with match_session(job) as session:
        session.start = start
        session.start_only(me, act)
        isolated = find_level(job.sandbox).isolates
        yield Rehearsal(session, me, transcript, isolated=isolated)


class Rehearsal:
    """A match in progress.

    Attributes:
        referee: what decides.
        transcript: what was said.
        player: the bot, as the referee keeps it.
        seat: what else is known of it.
        isolated: whether the bot is isolated.
        bare: the legal action that it wrote without `play` where it failed, if it did.
        slip: the misspelled verb that it wrote instead of its answer where it failed, if it did.
        late_ms: how long after its input was closed a missing answer came, without the time that
            the bot waited for a CPU; ``None`` if none came.
        ready_ms: when the bot said that it is ready, counted from its start.
    """

    def __init__(
        self, session: MatchSession, me: int, transcript: Transcript, *, isolated: bool
    ) -> None:
        """Begin a match with the bot of seat ``me``, which is started when it is greeted."""
        self.referee: Referee = session.referee
        self.transcript = transcript
        self.player = session.referee.players[me]
        self.isolated = isolated
        self.bare = ""
        self.slip = ""
        self.late_ms: float | None = None
        self.ready_ms = 0.0
        self.seat = session.seats[me]
        self._session = session

    @property
    def fault(self) -> Fault | None:
        """What the bot did wrong, if it did."""
        return self.player.fault

    @property
    def bot(self) -> BotProcess:
        """The bot; there is none before it is started."""
        return self.seat.bot

    def stderr(self) -> str:
        """Return what was written last to stderr, by ``log``, or by the referee."""
        if not self.seat.here:
            return ""
        while self.bot.stderr_open and not self.bot.over_caps() and self.bot.read_stderr():
            pass
        return self.bot.capture.last_lines()

    # playing

    def greet(self) -> bool:
        """Start the bot, and hear whether it is ready.

        Raises:
            MatchVoid: it is no fault of the bot's that it is not.
        """
        self._session.greet()
        if self.fault is not None:
            self._session.check_used_up()
            self._look_closely(b"ready")
            self.slip = _misspelled("ready", self.transcript.heard)
            return False
        self.ready_ms = self.transcript.heard_ms
        self.referee.begin()
        return True

    def go_on_from(self, earlier: Rehearsal) -> None:
        """Begin with the process of an earlier match, which has ended."""
        ready = earlier.player.ready
        assert ready is not None
        earlier.seat.here = False
        self.transcript = earlier.transcript
        self._session.resume(self.player.number, earlier.bot, ready)
        self._session.greet()
        self.referee.begin()

    def play(self, decisions: int | None = None, *, settle: bool = False) -> bool:
        """Play on to the end, or through so many decisions of the bot; whether it has no fault.

        Args:
            decisions: how many.
            settle: wait after each answer for what else the bot has to say, and judge that.
        """
        while not self.referee.over and self.fault is None and decisions != 0:
            state, heard = self.referee.course.state, len(self.transcript.heard)
            asked = self.player.number in state.players_to_act()
            self._session.ask(self.referee.open_node())
            if self.fault is not None:
                self._look_closely(b"play ")
                lines = self.transcript.heard[heard:]
                self.bare = self._bare_action(state, lines)
                self.slip = _misspelled("play", lines)
                return False
            self.referee.close_node()
            if asked and decisions is not None:
                decisions -= 1
            if asked and settle:
                self._settle()
        return self.fault is None

    def ponders(self, wait_ms: int) -> bool:
        """Wait while the bot is not asked, and return whether it computed meanwhile."""
        began = time.monotonic_ns()
        used = self.bot.meter.cpu_ns(began)
        wait_for_ends([self.seat], wait_ms)
        now = time.monotonic_ns()
        return pondered(self.bot.meter.cpu_ns(now) - used, now - began)

    def say_farewell(self) -> None:
        """Tell the bot how the match ended, and let it take that in."""
        if self.player.code is None:  # else it has been told
            self.bot.write(self.referee.farewell(self.player.number))
        self.bot.settle(SETTLE_MS)

    def answers(self) -> list[Decision]:
        """Return how each answer of the bot came about."""
        course = self.referee.course
        return [
            decision
            for (player, action), decision in zip(course.actions, course.decisions, strict=True)
            if player == self.player.number and action is not None
        ]

    def rest_of_lines(self) -> Iterator[bytes]:
        """Hear, and yield, what the bot has said since it was heard last.

        Raises:
            Flood: it wrote more than anyone may.
        """
        while True:
            while (raw := self.bot.lines.take()) is not None:
                yield raw
            if not self.bot.stdout_open or not self.bot.read():
                return

    # inside

    def _settle(self) -> None:
        self.bot.settle(SETTLE_MS)
        if self.referee.over or self.player.code is not None:
            with suppress(Flood):  # it matters no more
                list(self.rest_of_lines())
        else:
            self._session.loop.hear_all(self.seat)

    def _bare_action(self, state: State, lines: Iterable[bytes]) -> str:
        """Return the first line that is a legal action and nothing else; empty if none is."""
        for raw in lines:
            text = raw.decode("ascii", "replace").strip()
            with suppress(IllegalAction):
                state.apply_action(self.player.number, text)
                return text
        return ""

    def _look_closely(self, beginning: bytes) -> None:
        """Put down what happened at a fault; ``beginning`` is how an answer looks in a buffer."""
        fault = self.fault
        assert fault is not None
        if not self.seat.here:
            return
        bot, transcript = self.bot, self.transcript
        if bot.excess is not None:
            transcript.remark(f"killed: {fault.detail}")
        elif fault.code is not Termination.CRASH and fault.cause in WAITED_FOR and bot.stdout_open:
            transcript.remark("its time was up; its input was closed")
            bot.close_stdin()
            self._hear_last_words(beginning)
        if not bot.stdout_open or bot.has_exited():
            if partial := self.seat.partial_line():
                transcript.remark(f'a line without its end: "{show(partial, 64)}"')
            transcript.remark(bot.how_it_ended())

    def _hear_last_words(self, beginning: bytes) -> None:
        """Hear what it says once its input is closed, and keep when an answer came."""
        wait_ns, staying, looks = self.bot.meter.wait_ns, True, LAST_WORDS_MS // LOOK_MS
        closed_ms = self.transcript.ms() - (wait_ns() or 0) / 1e6
        while staying and looks:
            staying, looks = wait_for_ends([self.seat], LOOK_MS), looks - 1
            waited_ms = (wait_ns() or 0) / 1e6  # of a bot that has ended, as far as it was seen
            with suppress(Flood):  # what came before it counts
                for raw in self.rest_of_lines():
                    if self.late_ms is None and raw.startswith(beginning):
                        self.late_ms = self.transcript.heard_ms - waited_ms - closed_ms


def _ending(how: Launch) -> Launch:
    """Return the same start, with a filter that kills a bot that tries to reach the network."""
    if how.filter >= 0:
        size = os.fstat(how.filter).st_size
        os.pwrite(how.filter, ends_at_network(os.pread(how.filter, size, 0)), 0)
    program = how.orders.filter
    orders = how.orders._replace(filter=None if program is None else ends_at_network(program))
    return how._replace(orders=orders)


def _misspelled(verb: str, lines: Iterable[bytes]) -> str:
    """Return the first verb in some lines that nobody knows and that is near one; else nothing."""
    for raw in lines:
        with suppress(Malformed):
            said = parse(raw)
            if isinstance(said, Unknown) and near_miss(said.verb, (verb,)):
                return said.verb
    return ""
