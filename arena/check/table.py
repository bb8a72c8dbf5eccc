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
from arena.match import protocol
from arena.match.lines import Flood
from arena.match.opening import deal
from arena.match.protocol import Malformed, Ready
from arena.match.referee import Ask, Referee
from arena.model import Fault, MatchJob, Record
from arena.process.bot import LaunchError
from arena.session.guard import Guard
from arena.session.judge import Judge
from engines import IllegalAction, State, load_game

__all__ = ["Dress", "Others", "Table", "as_recorded", "at_table"]

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
        self.referee = Referee(job, game, deal(job, game), lambda player, text: None)
        self.ready_line = b""
        self.ready_ms = 0.0
        self.answers: list[protocol.Play] = []
        self.strange: list[bytes] = []
        self.buffered = False
        self.me = me
        self._guards: dict[int, Guard] = {}  # of the bot, once it is started
        # others' work is not measured here: at the last deadline a bot is out of time
        self._judge = Judge(self.referee, self._guards, lambda player: None, lambda: lambda: 0.0)
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
            self.referee.not_started(self.me, str(error))
            return False
        self._guards[self.me] = self.talk.guard
        self._hear_out(self.referee.greet(self.me), b"ready")
        if self.fault is None:
            self.referee.begin()
        return self.fault is None

    def sit_down(self, ready: Ready) -> None:
        """Begin the game with a bot whose process has said ``ready`` before."""
        self.ready_line = b"ready"
        self._guards[self.me] = self.talk.guard
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
                    referee.line(player, f"play {action}".encode("ascii"))
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
        if not self._judge_unasked(0):
            begun = bool(self.talk.bot.lines.partial)
            self._hear_out(self.referee.ask(self.me, begun=begun), b"play ")

    def _hear_out(self, question: Ask, beginning: bytes) -> None:
        """Say something and hear the answer out; ``beginning`` is how one looks in a buffer."""
        me, talk, judge = self.me, self.talk, self._judge
        asked = time.monotonic_ns()
        if self.ready_line:
            talk.guard.ask(asked)
            judge.asked(me, asked)
        talk.say(self._dress(question.block.decode("ascii")))
        deadline = asked + (question.limit_ms + question.margin_ms) * 1_000_000
        try:
            while True:
                heard = talk.hear((deadline - time.monotonic_ns()) / 1e6)
                now = time.monotonic_ns()
                if heard is Hush.CLOSED:
                    judge.closed(me, now)
                    return
                if heard is Hush.EXPIRED:
                    moved = judge.expired(me, now)
                    if moved is None:
                        self.buffered = any(w.startswith(beginning) for w in talk.last_words())
                        return
                    deadline = moved
                    continue
                self._look(heard)
                if judge.line(me, heard, now, 0):
                    self._keep(heard)
                    return
        except Flood as error:
            judge.flooded(me, error, time.monotonic_ns())

    def _keep(self, raw: bytes) -> None:
        """Keep what settled a question, if it is no fault."""
        if self.fault is None and not self.ready_line:
            self.ready_line, self.ready_ms = raw, self.talk.ms()
        elif self.fault is None and isinstance(message := protocol.parse(raw), protocol.Play):
            self.answers.append(message)

    def _judge_unasked(self, settle_ms: int) -> bool:
        """Judge what the bot wrote since its last answer; whether that costs it the match."""
        try:
            for raw in self.talk.unasked(settle_ms):
                self._look(raw)
                if not self.referee.over and self.referee.line(self.me, raw):
                    return True
        except Flood as error:
            if not self.referee.over:
                self.referee.flooded(self.me, error)
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
