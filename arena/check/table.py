"""One game in which the bot is asked over a conversation and everybody else is played here.

What the bot says is judged by the referee that judges matches, so a fault here is a fault there.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.check.talk import Hush, Talk
from arena.errors import MatchVoid
from arena.match import protocol
from arena.match.charging import NOTHING, Spent, spent
from arena.match.lines import Flood
from arena.match.opening import deal
from arena.match.protocol import HELLO, Malformed, Ready
from arena.match.referee import Referee
from arena.model import Fault, MatchJob, Record
from arena.process.bot import LaunchError
from arena.sandbox.complaints import explain
from engines import IllegalAction, State, load_game

__all__ = ["Dress", "Others", "Table", "as_recorded", "at_table"]

LAST_WORD_MS = 200  # for bubblewrap to say how a bot ended
SETTLE_MS = 100  # the bot has this long to say what it likes about a line

Dress = Callable[[str], str]  # a block as the referee says it → as it is written
Others = Callable[[State, int], str]  # the action of somebody who is not the bot


class Table:
    """A game with one bot at it.

    Attributes:
        talk: the conversation with the bot.
        referee: the game.
        ready_line: the bot's answer to ``hello``, and ``ready_ms`` when it came.
        answers: its answers that were accepted, as messages.
        strange: the first lines whose verb ABP 1 does not have.
        dropped: answers with the number of another question.
        me: the seat of the bot.
        buffered: did a missing answer come when the bot's input had been closed?
    """

    def __init__(
        self,
        talk: Talk,
        job: MatchJob,
        me: int,
        *,
        dress: Dress | None = None,
        others: Others | None = None,
    ) -> None:
        """Lay out the game of a job; ``me`` is the bot's seat."""
        game = load_game(job.game)
        self.talk = talk
        self.referee = Referee(job, game, deal(job, game), self._log)
        self.ready_line = b""
        self.ready_ms = 0.0
        self.answers: list[protocol.Play] = []
        self.strange: list[bytes] = []
        self.dropped = 0
        self.buffered = False
        self.me = me
        self._start_ms = job.seats[me].clock.start_ms
        self._dress = dress or (lambda block: block)
        self._others = others or _random_others(job.seed)
        for player in range(game.num_players):
            if player != me:
                self.referee.resume(player, Ready(want=()))

    @property
    def fault(self) -> Fault | None:
        """What the bot did wrong, if it did."""
        return next((fault for fault in self.referee.faults if fault.player == self.me), None)

    # talking

    def greet(self) -> bool:
        """Start the bot, say ``hello`` and hear ``ready``; whether it came.

        Raises:
            MatchVoid: it could not be isolated.
        """
        try:
            self.talk.start()
        except LaunchError as error:
            self._startup(error)
            return False
        self.talk.say(self._dress(HELLO.decode("ascii")))
        deadline = time.monotonic() + self._start_ms / 1000
        try:
            while True:
                raw = self.talk.hear((deadline - time.monotonic()) * 1000)
                if raw is Hush.CLOSED and (excess := self.talk.excess(guessed=False)):
                    self.referee.startup_fault(self.me, excess.detail, excess.code)
                elif raw is Hush.CLOSED:
                    self._check_isolated()
                    ended = self.talk.bot.how_it_ended()
                    self._startup(f"{ended} before it said ready{self._unfinished()}")
                elif raw is Hush.EXPIRED:
                    self._startup(f'no "ready" within {self._start_ms} ms{self._unfinished()}')
                    self._ask_buffer(b"ready")
                elif self.referee.ready(self.me, raw):
                    self.ready_line, self.ready_ms = raw, self.talk.ms()
                    self.referee.begin()
                    return True
                else:
                    self._look(raw)
                    continue
                return False
        except Malformed as error:
            self.referee.startup_fault(self.me, str(error), cause=error.cause)
            return False
        except Flood as error:
            self._startup(f"{error}, before it said ready")
            return False

    def sit_down(self, ready: Ready) -> None:
        """Begin the game with a bot whose process has said ``ready`` before."""
        self.referee.resume(self.me, ready)
        self.referee.begin()

    def play(self, decisions: int | None = None, *, settle: bool = False) -> bool:
        """Play on to the end, or through so many decisions of the bot; whether it kept its place.

        Args:
            decisions: how many.
            settle: wait after each answer for what else the bot has to say, and judge that.
        """
        referee = self.referee
        while not referee.over and self.fault is None and decisions != 0:
            players = referee.open_node()
            for player in players:
                if player == self.me:
                    self._ask()
                else:
                    referee.ask(player)
                    action = self._others(referee.state, player)
                    referee.line(player, f"play {action}".encode("ascii"), NOTHING)
            referee.close_node()
            if self.me in players and decisions is not None:
                decisions -= 1
            if self.me in players and settle and self.fault is None:
                self._judge_unasked(SETTLE_MS)
        return self.fault is None

    def say_farewell(self) -> None:
        """Tell the bot how the game ended, and let it take that in."""
        self.talk.say(self._dress(self.referee.farewell(self.me).decode("ascii")))
        self.talk.bot.settle(SETTLE_MS)

    # inside

    def _ask(self) -> None:
        if self._judge_unasked(0):
            return
        me, referee, talk = self.me, self.referee, self.talk
        question = referee.ask(me)
        before = talk.bot.meter.read(time.monotonic_ns())
        talk.say(self._dress(question.block.decode("ascii")))
        begin = time.monotonic_ns()
        limit_ms = question.limit_ms + question.margin_ms

        def taken() -> Spent:
            now = time.monotonic_ns()
            return spent(now - begin, before, talk.bot.meter.read(now))

        try:
            while True:
                heard = talk.hear(limit_ms - (time.monotonic_ns() - begin) / 1e6)
                if heard is Hush.CLOSED and (excess := talk.excess()) is not None:
                    referee.exceeded(me, *excess, taken())
                    return
                if heard is Hush.CLOSED:
                    self._check_cut_off()
                    ended, partial = talk.bot.how_it_ended(), talk.bot.lines.partial
                    referee.closed(me, ended, partial, taken())
                    return
                if heard is Hush.EXPIRED:
                    unread = bool(talk.bot.unwritten)
                    referee.expired(me, talk.bot.lines.partial, unread, taken())
                    self._ask_buffer(b"play ")
                    return
                self._look(heard)
                if referee.line(me, heard, taken()):
                    message = protocol.parse(heard) if self.fault is None else None
                    if isinstance(message, protocol.Play):
                        self.answers.append(message)
                    return
        except Flood as error:
            referee.flooded(me, str(error), taken())

    def _judge_unasked(self, settle_ms: int) -> bool:
        """Judge what the bot wrote since its last answer; whether that costs it the match."""
        try:
            for raw in self.talk.unasked(settle_ms):
                self._look(raw)
                if self.referee.idle_line(self.me, raw):
                    return True
        except Flood as error:
            self.referee.flooded(self.me, str(error), NOTHING)
            return True
        return False

    def _look(self, raw: bytes) -> None:
        """Remember a line that no fault comes of, and that was hardly meant."""
        try:
            message = protocol.parse(raw)
        except Malformed:
            return
        if isinstance(message, protocol.Unknown) and len(self.strange) < 3:
            self.strange.append(raw)

    def _check_isolated(self) -> None:
        """Raise ``MatchVoid`` if it was the isolation that failed, and not the bot."""
        bot = self.talk.bot
        self._check_cut_off()
        if bot.has_exited(wait_ms=50) and not bot.tree.ran(LAST_WORD_MS):
            problem = explain(self.talk.stderr())
            raise MatchVoid(f"the bot could not be isolated: {problem.reason}; {problem.remedy}")

    def _check_cut_off(self) -> None:
        """Raise ``MatchVoid`` if what isolates the bot was killed, which is not the bot's doing."""
        if self.talk.bot.was_cut_off():
            ended = self.talk.bot.how_it_ended()
            raise MatchVoid(f"the process that isolates the bot was killed from outside: {ended}")

    def _startup(self, detail: object) -> None:
        self.referee.startup_fault(self.me, str(detail))

    def _unfinished(self) -> str:
        partial = self.talk.bot.lines.partial
        return f"; an unfinished line: {protocol.quote(partial)}" if partial else ""

    def _ask_buffer(self, beginning: bytes) -> None:
        self.buffered = any(word.startswith(beginning) for word in self.talk.last_words())

    def _log(self, player: int, text: str) -> None:
        if text.startswith("[referee] dropped"):
            self.dropped += 1


@contextmanager
def at_table(
    job: MatchJob, me: int, *, dress: Dress | None = None, others: Others | None = None
) -> Iterator[Table]:
    """Lay a table for the bot of a seat, who comes when it is greeted; nothing of it stays."""
    with Talk(job.seats[me], job.sandbox) as talk:
        yield Table(talk, job, me, dress=dress, others=others)


def as_recorded(record: Record) -> Others:
    """Return others who act as in a record, as long as that is legal."""
    actions: dict[int, deque[str]] = {}
    for player, action in record.actions:
        if action is not None:
            actions.setdefault(player, deque()).append(action)
    otherwise = _random_others(record.seed)

    def act(state: State, player: int) -> str:
        waiting = actions.get(player)
        if waiting:
            action = waiting.popleft()
            try:
                state.apply_action(player, action)
            except IllegalAction:  # the bot has answered otherwise than in the record
                waiting.clear()
            else:
                return action
        return otherwise(state, player)

    return act


def _random_others(seed: int | None) -> Others:
    rng = random.Random(seed or 0)

    def act(state: State, player: int) -> str:
        return state.sample_action(player, rng)

    return act
