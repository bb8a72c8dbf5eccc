"""A recorded match played again by the referee: what it asks, the record answers.

A record keeps a hash of what was sent, and everything the lines follow from. So the match is played
again: for ``verify``, which compares what the referee makes of it, and for people, who want to see
the lines or send them to another program.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from arena.match.charging import NOTHING, Spent
from arena.match.opening import deal
from arena.match.player import Stage
from arena.match.protocol import HELLO, QUIT, Ready
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.record.passages import SENT, OutputLine, Passage
from arena.values.errors import RecordError, UsageError
from arena.values.model import Bot, Decision, Entrant, Fault, MatchJob, Record, Termination
from engines import EngineError, Game, load_game


def check_seat(record: Record, player: int) -> None:
    """Raise ``UsageError`` if a match has no such player."""
    count = len(record.players)
    if player not in range(count):
        raise UsageError(f"the match has no seat {player}: expected 0 to {count - 1}")


def blocks_sent(record: Record, player: int) -> tuple[Passage, ...]:
    """Return all that was written to a player, block by block.

    A player whose process is kept for many matches (``processes: reuse``) is greeted in the first
    and told to quit after the last; here it is in each.

    A record does not hold two things, so that a block may not be ``exact``:

    - what an answer out of time looked like where the rules' action was played instead: the line
      ``bad time`` then says no more of an unfinished line, or of input that was not read;
    - whether a program that was never ready was started at all.

    Raises:
        EngineError: the game is not here.
        RecordError: the rules do not accept the record.
        UsageError: there is no such player.
    """
    check_seat(record, player)
    game = load_game(record.game)
    if len(record.players) != game.num_players:
        raise RecordError(f"match {record.id}: {game} has {game.num_players} players")
    try:
        replay = Replay(record, game, kept=player)
    except (EngineError, LookupError, ValueError) as error:
        raise RecordError(f"match {record.id}: the rules do not accept it: {error}") from None
    if replay.wrong:
        raise RecordError(f"match {record.id} contradicts itself: {replay.wrong[0]}")
    return tuple(replay.blocks)


def job_of_record(record: Record, bots: Sequence[Bot], sandbox: str) -> MatchJob:
    """Return the job of the same match; what the bots were given is all in the record.

    Args:
        record: of the match.
        bots: seat by seat.
        sandbox: the level at which they run.
    """
    seats = [
        Entrant(
            name=player.bot,
            bot=bot,
            args=player.args,
            env=player.env,
            clock=player.clock,
            memory_bytes=player.memory_bytes,
        ).seat(record.clock, player.seed)
        for player, bot in zip(record.players, bots, strict=True)
    ]
    return MatchJob(
        id=record.id,
        tournament=record.tournament,
        number=0,
        block=record.block,
        seating=record.seating,
        game=record.game,
        seed=record.seed,
        seats=tuple(seats),
        setup=record.setup,
        opening_actions=record.opening,
        on_timeout=record.on_timeout,
        rethink=max((decision.tries for decision in record.decisions), default=0),
        ponder=record.ponder,
        sandbox=sandbox,
        clock=record.clock,
    )


class Replay:
    """A recorded match played again through the engine, as far as the record allows.

    Attributes:
        referee: what it was played by; of a record that is all right, its match is over.
        wrong: what the referee makes something else of, a sentence each; the replay ends there.
        limits_ms: of each of the record's actions; ``None`` before the game.
        blocks: what was sent to the player in ``kept``; the lines of the others are not kept.
    """

    def __init__(self, record: Record, game: Game, *, kept: int | None = None) -> None:
        """Replay a match that was played.

        Raises:
            EngineError: the rules do not accept an action.
            LookupError, ValueError: the record contradicts itself.
        """
        self.wrong: list[str] = []
        self.limits_ms: list[int | None] = []
        self.blocks: list[Passage] = []
        self._record = record
        self._kept = kept
        self._exact = True  # are the lines that the next block begins with known exactly?
        self._faults = {fault.player: fault for fault in record.faults}
        nobody = [Bot(p.bot, p.version, p.hash, (), "") for p in record.players]
        job = job_of_record(record, nobody, record.sandbox)
        for player, seat in enumerate(job.seats):
            if seat.clock.move_ms is None and seat.clock.main_ms is None:
                raise ValueError(f"player {player} has no limit a move or a game")
        self.referee = Referee(job, game, deal(job, game), lambda player, source, text: None)
        self._begin()
        while not self.wrong and not self.referee.over and self._done < len(record.actions):
            self._node()
        self._end()

    @property
    def _done(self) -> int:
        return len(self.referee.course.actions)

    def _begin(self) -> None:
        record, referee = self._record, self.referee
        pairs = zip(record.actions, record.decisions, strict=True)
        drops = {player: decision for (player, action), decision in pairs if action is None}
        for player, seat in enumerate(record.players):
            fault = self._faults.get(player)
            if fault is not None and _never_ready(record, fault):
                verdict = Verdict(fault.code, fault.detail)
                referee.fail(player, verdict, Spent(*drops[player][:3]))
            else:
                referee.resume(player, Ready(want=seat.want))
        if self._kept is not None:
            self._exact = referee.players[self._kept].ready is not None
            self._keep(self._kept, 0, HELLO if self._exact else HELLO + QUIT)
        referee.begin()
        self._compare(0, self._done, [None] * self._done)

    def _node(self) -> None:
        """Play one node: all players to act are asked, then the record answers for each."""
        record, referee, start = self._record, self.referee, self._done
        player, action = record.actions[start]
        if action is None and player not in (*self._faults, referee.course.to_act[0]):
            referee.give_up(player)  # while others decided
            self._compare(start, start + 1, [referee.players[player].limit_ms])
            return
        node, end = referee.open_node(), start
        if len(node) == 1 and self._usual(node[0], start):
            return
        places: dict[int, int | None] = {}
        for player in node:
            found = end < len(record.actions) and record.actions[end][0] == player
            places[player] = end if found else None
            if found:
                end += 1
        for player, place in places.items():
            if referee.players[player].stage is Stage.READY and self._was_asked(player, place):
                self._ask(player, place)
        limits = [referee.players[who].limit_ms for who, at in places.items() if at is not None]
        for player, place in places.items():
            self._answer(player, place)
        if any(referee.players[player].stage is Stage.ASKED for player in node):
            raise ValueError(f"an action before number {end + 1} is no answer")
        referee.close_node()
        self._compare(start, end, limits)

    def _usual(self, player: int, place: int) -> bool:
        """Play the node of a lone player, if that answers as usual; for speed."""
        (found, action), decision = self._record.actions[place], self._record.decisions[place]
        if found != player or action is None or decision.late or decision.forced:
            return False
        self._ask(player, place)
        limit_ms = self.referee.players[player].limit_ms
        done = self.referee.answer(player, action, None, decision)
        if done:
            self.limits_ms.append(limit_ms)
        return done

    def _was_asked(self, player: int, place: int | None) -> bool:
        """Return whether a question was sent: a player may fall for what it wrote before that."""
        if place is None or self._record.actions[place][1] is not None:
            return True
        if fault := self._faults.get(player):
            return fault.decision > self.referee.players[player].asked
        return Spent(*self._record.decisions[place][:3]) != NOTHING

    def _ask(self, player: int, place: int | None) -> None:
        question, p = self.referee.ask(player), self.referee.players[player]
        self._keep(player, p.asked, question, place, p.limit_ms)

    def _keep(
        self,
        player: int,
        decision: int | None,
        sent: bytes,
        answer: int | None = None,
        limit_ms: int = 0,
    ) -> None:
        """Keep what was sent to a player, if that is the one whose lines are kept."""
        if player == self._kept:
            lines = tuple([OutputLine(SENT, line) for line in sent.splitlines()])
            self.blocks.append(Passage(player, decision, answer, lines, self._exact, limit_ms))
            self._exact = True

    def _answer(self, player: int, place: int | None) -> None:
        """Settle a player as the record says."""
        referee, state = self.referee, self.referee.course.state
        p = referee.players[player]
        if place is None:  # another's drop has ended the game, so that any answer will do
            answer = state.sample_action(player, random.Random(0))
            referee.line(player, f"play {answer}".encode("ascii"))
            return
        action, decision = self._record.actions[place][1], self._record.decisions[place]
        spent = Spent(*decision[:3])
        fault = self._faults.get(player)
        if action is None and fault is None:
            referee.line(player, b"resign", spent)
        elif action is None:
            assert fault is not None
            referee.fail(player, Verdict(fault.code, fault.detail), spent)
        elif decision.forced and decision.ms >= p.limit_ms + p.seat.clock.margin_ms:
            referee.expired(player, b"", False, spent)
            self._exact = self._exact and player != self._kept
        else:
            state.apply_action(player, action)
            referee.line(player, f"play {action}".encode("ascii"), spent)

    def _compare(self, start: int, end: int, limits_ms: Sequence[int | None]) -> None:
        """Compare what the referee made of some actions with what is recorded of them."""
        course, record = self.referee.course, self._record
        if self._done < end:
            self.wrong.append(f"action {self._done + 1} stands after the end of a node")
        for place in range(start, self._done):
            player, made = course.actions[place]
            if place >= len(record.actions) or record.actions[place][0] != player:
                self.wrong.append(f"player {player}'s action is missing, as number {place + 1}")
                return
            then = _in_words(record.actions[place][1], record.decisions[place])
            now = _in_words(made, course.decisions[place])
            limit_ms = limits_ms[place - start]
            if then != now:
                charged = f"{record.decisions[place].charged_ms:g} of {limit_ms} ms"
                self.wrong.append(
                    f"decision {place + 1}, of player {player}: {then}, and charged {charged}; "
                    f"by the rules it is {now}{self._fault(player)}"
                )
                return
            self.limits_ms.append(limit_ms)

    def _fault(self, player: int) -> str:
        fault = self.referee.players[player].fault
        return "" if fault is None else f" ({fault.code}: {fault.detail})"

    def _end(self) -> None:
        """Look whether the match is over, and have everybody read so."""
        course, record = self.referee.course, self._record
        if self.wrong:
            return
        if self._done < len(record.actions):
            count = len(record.actions) - self._done
            self.wrong.append(f"{count} actions stand after the end of the game")
            return
        if record.by is Termination.MAXMOVES:  # how many were allowed no record says
            course.max_decisions = course.asked
            course.look_for_end()
        if not course.over:
            self.wrong.append("the game is not over after the last action")
            return
        for player in range(len(record.players)):
            if farewell := self.referee.farewell(player):
                self._keep(player, None, farewell + QUIT)


def _in_words(action: str | None, decision: Decision) -> str:
    """Return what is compared of a decision; its times are the record's own."""
    late = "late" if decision.late else "not late"
    return f"{action or 'a drop'}{', by the rules' if decision.forced else ''}, {late}"


def _never_ready(record: Record, fault: Fault) -> bool:
    """Return whether a player was dropped before the game began.

    Mostly for ``startup``; or it was killed before it was ready, for the memory or the processes it
    had. Who is killed for memory after that was asked something. A flood of lines before the first
    question is that of a player who was ready: it told what it wants, or it is dropped where it is
    asked.
    """
    if fault.decision > 0:
        return False
    if fault.code is Termination.FLOOD:
        first = itertools.takewhile(lambda action: action[1] is None, record.actions)
        told = record.players[fault.player].want
        return (fault.player, None) in first and not told
    return fault.code in (Termination.STARTUP, Termination.MEMORY)
