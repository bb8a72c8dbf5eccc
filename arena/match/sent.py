"""What each player of a recorded match was sent: made again from the record and its engine.

A record keeps a hash of what was sent, and everything the lines follow from. So they are made
again: for ``verify``, which compares the hash, and for people, who want to see the lines or send
them to another program.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import RecordError
from arena.match import protocol, verdicts
from arena.match.charging import NOTHING, Spent
from arena.match.clock import MAX_LATE, GameClock
from arena.match.course import Course
from arena.match.feed import Feed, public_setup, tell, tell_deal
from arena.match.opening import deal_from
from arena.model import Clock, Decision, Fault, Record, Termination
from engines import EngineError, Game, State, load_game

__all__ = ["Block", "Question", "Retelling", "blocks_sent"]


class Block(NamedTuple):
    """Lines that were written to a player at one time.

    Attributes:
        decision: the player's decision that they ask for, counted from 1; 0: they greet it;
            ``None``: they say how the match ended for it.
        lines: each without its line feed.
        answer: where the record's actions and decisions have what came of a question; ``None`` if
            nothing counts any more, as another's drop at the same node ended the game.
        exact: whether the record holds all that the lines follow from; see ``blocks_sent``.
        limit_ms: for the answer; 0 where nothing is asked.
    """

    decision: int | None
    lines: tuple[str, ...]
    answer: int | None = None
    exact: bool = True
    limit_ms: int = 0


class Question(NamedTuple):
    """What a player was asked: the lines of a block from ``setup`` to ``legal``.

    ``part``: are the legal actions in it only a part of them? The rest is as in ``Block``.
    """

    decision: int
    text: str
    part: bool
    answer: int | None


def blocks_sent(record: Record, player: int) -> tuple[Block, ...]:
    """Return all that was written to a player, block by block, as it went through its pipe.

    A player whose process is kept for many matches (``processes: reuse``) is greeted in the first
    and told to quit after the last; here it is in each.

    A record does not hold two things, so that a block may not be ``exact``:

    - what an answer out of time looked like where the rules' action was played instead: the line
      ``bad time`` then says no more of an unfinished line, or of input that was not read;
    - whether a program that was never ready was started at all.

    And records of earlier versions round the charged times that the game clock was kept with, so
    that ``left`` and ``limit`` of a clock with ``main`` may be 1 ms off in those.

    Raises:
        EngineError: the game is not here.
        RecordError: there is no such player, or the rules do not accept the record.
    """
    game = load_game(record.game)
    if not 0 <= player < len(record.players) == game.num_players:
        raise RecordError(f"match {record.id} has no player {player}")
    if record.unplayed:
        return ()
    limits = record.players[player].clock or record.clock
    if limits.move_ms is None and limits.main_ms is None:
        raise RecordError(f"match {record.id}: player {player} has no limit a move or a game")
    try:
        told = Retelling(record, game, kept=player)
    except (EngineError, LookupError, ValueError) as error:
        raise RecordError(f"match {record.id}: the rules do not accept it: {error}") from None
    if told.wrong:
        raise RecordError(f"match {record.id} contradicts itself: {told.wrong[0]}")
    return tuple(_Wire(record, game, told, player).blocks())


class Retelling:
    """Replay a recorded match through the engine and send each player what it was sent then.

    Attributes:
        wrong: what is wrong with the record, a sentence each.
        course: the replayed match, up to the last action.
        feeds: of those who were in the game; each hashes all lines that its player was sent.
        before_last: the hash before the last question of those who were dropped: what they wrote
            before they were asked may have been why.
        questions: of the player in ``kept``; the lines of the others are not kept.
        held_back: the lines that the player is sent at the end of the match.
    """

    def __init__(self, record: Record, game: Game, *, kept: int | None = None) -> None:
        """Replay a match that was played.

        Raises:
            EngineError: the rules do not accept an action.
            LookupError, ValueError: the record contradicts itself.
        """
        self.wrong: list[str] = []
        self.questions: list[Question] = []
        self.before_last: dict[int, str] = {}
        self.held_back = ""
        self._record = record
        self._kept = kept
        self._codes = {fault.player: fault.code for fault in record.faults}
        self._rest = list(record.actions)
        self._asked = [0] * game.num_players
        never_ready = {fault.player for fault in record.faults if _never_ready(record, fault)}
        deal = deal_from(game, record.seed, record.setup, record.opening)
        setup = public_setup(record.setup, deal.states[0], game.num_players)
        self.feeds = {
            player: Feed(player, seat.want, setup, seat.seed, record.draw)
            for player, seat in enumerate(record.players)
            if player not in never_ready
        }
        tell_deal([*self.feeds.values()], record.opening, deal.states, record.draw)
        self.course = Course(game, deal)
        self.course.never_began = never_ready
        self._play()

    def sent(self, player: int) -> str:
        """Return the hash of all that a player was told."""
        feed = self.feeds.get(player)
        return Feed(player, (), None, 0).sent() if feed is None else feed.sent()

    def _play(self) -> None:
        course, never_ready = self.course, self.course.never_began
        while self._rest and self._rest[0][1] is None and self._rest[0][0] in never_ready:
            self._drop(self._rest.pop(0)[0])
        while self._rest and not course.state.is_terminal():
            self._node()
        if self._rest:
            self.wrong.append(f"{len(self._rest)} actions stand after the end of the game")
        for player, feed in self.feeds.items():
            if player not in course.dropped:
                text = feed.held_back()
                if player == self._kept:
                    self.held_back = text

    def _node(self) -> None:
        """Play one node: everyone who owes is asked, then actions and drops in player order."""
        course = self.course
        node = course.state.players_to_act()
        for player in node:
            self._ask(player, falls=(player, None) in self._rest[: len(node)])
        done: list[tuple[int, str | None]] = []
        states: list[State] = []
        for player in node:
            if not self._rest or self._rest[0][0] != player:
                if course.state.is_terminal():
                    continue  # a drop ended the game before this player's answer counted
                found = f"player {self._rest[0][0]}'s" if self._rest else "nothing"
                self.wrong.append(f"player {player}'s action is missing: {found} stands there")
                self._rest.clear()
                break
            if player == self._kept:
                place = len(self._record.actions) - len(self._rest)
                self.questions[-1] = self.questions[-1]._replace(answer=place)
            _, action = self._rest.pop(0)
            if action is None:
                self._drop(player)
            else:
                course.act(player, action, course.state.apply_action(player, action))
            done.append((player, action))
            states.append(course.state)
        if states:
            tell([f for p, f in self.feeds.items() if p not in course.dropped], done, states)

    def _ask(self, player: int, *, falls: bool) -> None:
        self._asked[player] += 1
        feed, number = self.feeds[player], self._asked[player]
        if falls:
            self.before_last[player] = feed.sent()
        text, part = feed.ask(self.course.state, number)
        if player == self._kept:
            self.questions.append(Question(number, text, part, None))

    def _drop(self, player: int) -> None:
        self.course.drop(player, self._codes.get(player, Termination.RESIGN))


class _Wire:
    """The lines of one player around those of its feed: with its clock, its faults and the end."""

    def __init__(self, record: Record, game: Game, told: Retelling, player: int) -> None:
        self._record = record
        self._told = told
        self._player = player
        self._seat = record.players[player]
        self._limits: Clock = self._seat.clock or record.clock
        self._clock = GameClock(self._limits)
        self._late = 0  # answers over their limits so far
        self._fault = next((one for one in record.faults if one.player == player), None)
        self._head = protocol.game_lines(
            str(game), player, game.num_players, self._limits, self._seat.seed
        ).split("\n")
        self._exact = True  # are the lines in the head known exactly?

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks of a match that was played."""
        greeting = protocol.HELLO.decode("ascii").rstrip("\n")
        if self._player not in self._told.feeds:
            yield Block(0, (greeting, protocol.QUIT), exact=False)
            return
        yield Block(0, (greeting,))
        for question in self._told.questions:
            if self._was_asked(question):
                go = protocol.go_line(
                    question.decision, self._clock.left_ms, self._clock.limit_ms, part=question.part
                )
                block = self._block(question.text, (go,), question.decision)
                yield block._replace(answer=question.answer, limit_ms=self._clock.limit_ms)
            if question.answer is not None:
                self._settle(self._record.decisions[question.answer])
        yield self._farewell()

    def _block(self, text: str, more: tuple[str, ...], decision: int | None) -> Block:
        lines = (*self._head, *text.splitlines(), *more)
        exact, self._exact = self._exact, True
        self._head = []
        return Block(decision, lines, exact=exact)

    def _was_asked(self, question: Question) -> bool:
        """Return whether a question was sent: who fell may have, for what it wrote before that."""
        if question.answer is None or self._record.actions[question.answer][1] is not None:
            return True
        if self._fault is not None:
            return self._fault.decision == question.decision
        return Spent(*self._record.decisions[question.answer][:3]) != NOTHING

    def _settle(self, decision: Decision) -> None:
        """Book a decision; if the arena played it for the player, keep the line that says so."""
        spent, limit_ms = Spent(*decision[:3]), self._clock.limit_ms
        self._clock.charge(decision.charged_ms)
        if decision.forced:
            in_margin = decision.ms <= limit_ms + self._limits.margin_ms
            if in_margin and self._late >= MAX_LATE - 1:
                detail = verdicts.late_again(limit_ms).detail
            else:
                detail = verdicts.silent(limit_ms, spent, None).detail
                self._exact = False
            self._head = [protocol.bad_line(Termination.TIME, detail)]
            self._late += in_margin
        elif decision.late:
            self._late += 1

    def _farewell(self) -> Block:
        course, record, seed = self._told.course, self._record, self._seat.seed
        players = len(record.players)
        if self._player not in course.dropped:
            rank, scores = record.ranks[self._player], record.scores
            end = protocol.end_line(seed, rank, players, scores, record.by)
            return self._block(self._told.held_back, (end, protocol.QUIT), None)
        fault = self._fault
        bad = () if fault is None else (protocol.bad_line(fault.code, fault.detail),)
        code = Termination.RESIGN if fault is None else fault.code
        end = protocol.end_line(seed, players, players, None, code)
        return Block(None, (*bad, end, protocol.QUIT))


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
