"""The referee of one match: lines, ends and times go in; blocks, limits and verdicts come out.

There is no clock, process or file here: a session carries out what this machine says. It has every
player say that it is ready, or fail to, and then goes node by node:

    referee.greet(player)                      # → `hello`; or resume
    referee.line(player, line, …)              # or expired, fail
    referee.begin()
    while not referee.over:
        for player in referee.open_node():     # everyone who owes an action, asked at once
            referee.line(player, line, …)      # what it wrote unasked
            referee.ask(player)                # → the block to send; the limit is the player's
            referee.line(player, line, …)      # or expired, fail: until it is settled
        referee.close_node()                   # actions and drops are carried out, in player order
    referee.farewell(player)                   # → the last lines of each player
    referee.record(…)

Where a lone player answers as usual, ``referee.answer(player, …)`` does the last two of a node in
one. A call out of this order is a mistake of the session: ``AssertionError``. A player is settled
when it is ready, has answered or is dropped.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from arena.match import protocol, verdicts
from arena.match.charging import NOTHING, Spent
from arena.match.course import Course
from arena.match.feed import Feed, public_setup, tell, tell_deal
from arena.match.opening import Deal
from arena.match.player import PlayerState, Stage
from arena.match.protocol import HELLO, Malformed, Ready, quote
from arena.match.verdicts import Verdict
from arena.values.errors import MatchVoid, UnableSeat
from arena.values.model import Cause, Decision, Fault, MatchJob, Record, Termination
from arena.values.said import SaidWhere
from arena.values.untrusted import show
from arena.values.version import __version__
from engines import Game, IllegalAction, State

__all__ = ["Log", "Referee"]

Log = Callable[[int, SaidWhere, str], None]
ABSENT, GREETED, READY, ASKED, SETTLED, DROPPED = Stage


class Referee:
    """One match in progress. See the module's text for the order of calls.

    Attributes:
        players: everybody, as the referee keeps them; to be read only.
        course: what was done so far; likewise.
    """

    def __init__(self, job: MatchJob, game: Game, deal: Deal, log: Log) -> None:
        """Prepare a match on a deal; ``log(player, source, text)`` takes lines of bots' logs."""
        n = game.num_players
        assert len(job.seats) == n, f"{game} is for {n} players, not {len(job.seats)}"
        self.course = Course(deal.states[-1], job.max_decisions)
        self._job = job
        self._game = game
        self._deal = deal
        self._log = log
        self.players = [PlayerState(number, seat) for number, seat in enumerate(job.seats)]
        self._begun = False
        self._node: tuple[int, ...] = ()  # who owes an action at the open node; () between nodes
        self._news_wanted = True  # does any player want actions or events?

    # where the match stands

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.course.over

    @property
    def faults(self) -> list[Fault]:
        """The faults so far, in player order."""
        return [p.fault for p in self.players if p.fault is not None]

    # starting

    def greet(self, player: int) -> bytes:
        """Return the greeting for a player whose process was just started."""
        p = self.players[player].expect(ABSENT)
        p.stage, p.limit_ms = GREETED, p.seat.clock.start_ms
        return HELLO

    def resume(self, player: int, ready: Ready) -> None:
        """Take a player as ready whose process said so in an earlier match."""
        p = self.players[player].expect(ABSENT)
        p.ready, p.stage = ready, READY

    def begin(self) -> None:
        """Start the game, once every player is ready or has failed: announce the deal."""
        assert not self._begun, "the match has begun"
        self._begun = True
        n = len(self.players)
        setup = public_setup(self._deal.setup, self._deal.states[0], n)
        for p in self.players:
            p.expect(READY, DROPPED)
            if p.ready is not None and p.stage is READY:
                p.feed = Feed(p.number, p.ready.want, setup, p.seat.seed)
        feeds = self._listening()
        self._news_wanted = any(not feed.want.isdisjoint(("did", "event")) for feed in feeds)
        if self._news_wanted:
            tell_deal(feeds, self._deal.opening, self._deal.states)
        self.course.never_began = [p.number for p in self.players if p.stage is DROPPED]
        for player in self.course.never_began:
            self._drop(self.players[player])
        self.course.look_for_end()

    # one node

    def open_node(self) -> tuple[int, ...]:
        """Return the players to act; they are to be asked, all at once."""
        assert not self._node, "a node is open"
        assert self.course.to_act, "nobody is to act"
        self._node = self.course.to_act
        return self._node

    def ask(self, player: int, *, begun: bool = False) -> bytes:
        """Open the player's decision, and return what to write to it.

        Where no node is open, this opens the next one.

        Args:
            player: who is asked.
            begun: whether it has begun a line already, which is then no answer.
        """
        p = self.open_decision(player)
        p.early = begun
        clock, feed, decision, limit_ms = p.clock, p.feed, p.asked, p.limit_ms
        assert feed is not None
        text, part = feed.ask(self.course.state, decision)
        if p.head != "":
            text = f"{self._head(p)}{text}"
            p.head = ""
        if part or clock.left_ms is not None:
            go = protocol.go_line(decision, clock.left_ms, limit_ms, part=part)
        else:  # the same without a call
            go = f"go {decision} limit={limit_ms}"
        return f"{text}{go}\n".encode("ascii")

    def open_decision(self, player: int) -> PlayerState:
        """Open the player's decision, and return the player: ``ask`` for who reads no lines."""
        p, course = self.players[player], self.course
        node = self._node or course.to_act
        assert p.stage is READY, f"player {player} is {p.stage} and cannot be asked"
        assert player in node, f"player {player} is not to act"
        self._node = node
        p.stage = ASKED
        p.asked += 1
        course.asked += 1
        p.limit_ms = p.clock.limit_ms
        return p

    def answer(self, player: int, action: str, number: bytes | None, decided: Decision) -> bool:
        """Carry out the answer of a lone player, and close the node, if that is all there is to do.

        For speed: it is what ``line`` and ``close_node`` do with `play ACTION D`.

        Returns:
            Whether it is done; if not, nothing has changed, and the line is to be judged.
        """
        p = self.players[player]
        if p.stage is not ASKED:
            p.expect(ASKED)
        if number is not None and int(number) != p.asked:
            return False
        charged_ms = decided[2]  # by its place, as a name takes twice as long
        if p.early or p.info or len(self._node) > 1 or charged_ms > p.limit_ms:
            return False
        course = self.course
        try:
            after = course.state.apply_action(player, action)
        except IllegalAction:
            return False
        if not p.clock.constant:
            p.clock.charge(charged_ms)
        p.stage = READY
        self._node = ()
        course.state = after
        course.to_act = to_act = after.players_to_act()
        course.actions.append((player, action))
        course.decisions.append(decided)
        if self._news_wanted:
            tell(self._listening(), ((player, action),), (after,))
        if not to_act or course.max_decisions is not None:
            course.look_for_end()
        return True

    def close_node(self) -> None:
        """Carry out what the players answered, in player order, and tell everyone."""
        node, self._node = self._node, ()
        assert node, "no node is open"
        course = self.course
        states: list[State] = []
        actions: list[tuple[int, str | None]] = []
        ended_by_drop = False
        for p in [self.players[player].expect(SETTLED, DROPPED) for player in node]:
            if p.stage is DROPPED:
                self._drop(p)
                ended_by_drop = ended_by_drop or course.state.is_terminal()
            else:
                p.stage = READY
                if ended_by_drop:
                    continue  # an earlier drop ended the game
                after = course.state.apply_action(p.number, p.action)
                course.act(p.number, p.action, after, p.decision)
            actions.append(course.actions[-1])
            states.append(course.state)
        if self._news_wanted:
            tell(self._listening(), actions, states)
        course.look_for_end()

    # judging

    def line(self, player: int, raw: bytes, spent: Spent = NOTHING) -> bool:
        """Judge a line; returns whether the player is settled.

        One that may decide again is not, and ``PlayerState.again`` is to be written to it.

        Args:
            player: who wrote it. One that was not asked is dropped when the open node closes, or
                at once if none is open.
            raw: the line without its line feed.
            spent: what the open decision took up to the line feed.

        Raises:
            MatchVoid: a seat that asks is unable to play now.
        """
        p = self.players[player]
        if p.stage is not ASKED:
            self._check_heard(p)
        try:
            message = protocol.parse(raw)
            if isinstance(message, protocol.Unable):
                message = _no_seat_that_asks(p, message)
            if p.stage is GREETED:
                return self._greeted(p, message, raw)
        except Malformed as error:
            code = Termination.STARTUP if p.stage is GREETED else Termination.PROTOCOL
            return self.convict(p, Verdict(code, str(error), error.cause), spent)
        opened = p.stage is ASKED and not p.early
        p.early = False
        if isinstance(message, protocol.Play):
            return self._play(p, message, spent, opened=opened)
        if isinstance(message, protocol.Info):
            p.keep(message.values)
        elif isinstance(message, protocol.Log):
            self._log(player, SaidWhere.LOG, message.text)
        elif isinstance(message, protocol.Resign):
            return self.convict(p, Verdict(Termination.RESIGN, "it gives up"), spent)
        elif isinstance(message, protocol.Error):
            return self.convict(p, verdicts.gave_up(message), spent)
        return False

    def is_legal(self, player: int, raw: bytes) -> bool:
        """Return whether a line is an answer, and its action is a legal one."""
        with contextlib.suppress(Malformed, IllegalAction):
            message = protocol.parse(raw)
            if isinstance(message, protocol.Play):
                self.course.state.apply_action(player, message.action)
                return True
        return False

    def fail(self, player: int, verdict: Verdict, spent: Spent = NOTHING) -> None:
        """Drop a player for what became of it: it could not start, it ended, it used too much.

        Args:
            player: one who is not here yet, or whose line would be judged.
            verdict: what it did wrong.
            spent: what the open decision, or the start, took.
        """
        p = self.players[player]
        if p.stage is not ABSENT and p.stage is not ASKED:
            self._check_heard(p)
        self.convict(p, verdict, spent)

    def give_up(self, player: int) -> None:
        """Drop a player that resigns while others decide; if that ends the game, nobody is asked.

        If the game goes on, the player is dropped as soon as it would be asked again.
        """
        p = self.players[player]
        if p.stage is DROPPED:  # it resigned when it was asked, too
            return
        if self.course.state.drop_player(player).is_terminal():
            for other in [self.players[number] for number in self._node]:
                if other.stage in (ASKED, SETTLED):
                    other.stage = READY
                    other.asked -= 1
                    self.course.asked -= 1
            self._node = ()
        if p.stage is READY:
            self.convict(p, Verdict(Termination.RESIGN, "it gives up"), NOTHING)

    # time

    def expired(self, player: int, partial: bytes, unread: bool, spent: Spent = NOTHING) -> None:
        """Judge a player whose time is up.

        Args:
            player: who was waited for.
            partial: the beginning of a line without its line feed.
            unread: whether it has not read what was sent to it.
            spent: what the open decision took.
        """
        p = self.players[player].expect(GREETED, ASKED)
        if p.stage is GREETED:
            self.convict(p, verdicts.never_ready(p.limit_ms, partial), NOTHING)
            return
        cause = Cause.UNFINISHED if partial else Cause.UNREAD if unread else Cause.SILENT
        self._out_of_time(p, verdicts.silent(p.limit_ms, spent, cause, partial), spent)

    # the end

    def farewell(self, player: int) -> bytes:
        """Return the last lines for a player: what was held back, its fault if any, ``end``.

        A dropped player reads them at once, everyone else when the match is over.
        """
        p = self.players[player]
        n, seed = len(self.players), p.seat.seed
        if p.stage is DROPPED:
            if p.ready is None:
                return b""
            assert p.code is not None
            bad = "" if p.fault is None else protocol.bad_line(p.code, p.fault.detail) + "\n"
            text = bad + protocol.end_line(seed, n, n, None, p.code)
        else:
            assert self.over, f"player {player} is still in the match"
            assert p.feed is not None
            rank = self.course.ranks()[player]
            text = f"{self._head(p)}{p.feed.held_back()}" + protocol.end_line(
                seed, rank, n, self.course.scores(), self.course.by
            )
        return f"{text}\n".encode("ascii")

    def record(
        self,
        stderr: Mapping[int, str],
        started: str,
        elapsed_ms: int,
        pondered: Collection[int] = (),
    ) -> Record:
        """Return what the match leaves behind.

        Args:
            stderr: the last lines of faulty bots.
            started: when it began, as text.
            elapsed_ms: how long it took.
            pondered: who thought while others decided.
        """
        assert self.over, "the match is not over"
        job, course, clock = self._job, self.course, self._job.common_clock
        faults = []
        if course.dropped:
            faults = [self.players[who].fault for who, action in course.actions if action is None]
        return Record(
            id=job.id,
            tournament=job.tournament,
            block=job.block,
            seating=job.seating,
            game=str(self._game),
            rules_version=self._game.rules_version,
            setup=self._deal.setup,
            opening=self._deal.opening,
            seed=job.seed,
            clock=clock,
            players=tuple([p.recorded(clock, p.number in pondered) for p in self.players]),
            actions=tuple(course.actions),
            decisions=tuple(course.decisions),
            scores=course.scores(),
            ranks=course.ranks(),
            by=course.by,
            faults=tuple([replace(f, stderr=stderr.get(f.player, "")) for f in faults if f]),
            arena_version=__version__,
            sandbox=job.sandbox,
            started=started,
            elapsed_ms=elapsed_ms,
            on_timeout=job.on_timeout,
            ponder=job.ponder,
            host=job.host,
        )

    # verdicts

    def convict(self, p: PlayerState, verdict: Verdict, spent: Spent) -> bool:
        """Drop a player for a fault, or because it resigns; a subclass may do something else.

        Returns:
            Whether the player is settled.
        """
        if verdict.code is not Termination.RESIGN:
            p.fault = Fault(p.number, verdict.code, p.asked, verdict.detail, cause=verdict.cause)
        p.fall(verdict.code, spent)
        if self._begun and not self._node:
            self._drop(p)
            self.course.look_for_end()
        return True

    def _check_heard(self, p: PlayerState) -> None:
        """Check that what an unasked player writes matters now."""
        p.expect(GREETED, READY)
        in_game = self._begun and not self.over
        assert in_game or p.stage is GREETED, "nobody is heard before the game or after it"

    def _greeted(self, p: PlayerState, message: protocol.Message | None, raw: bytes) -> bool:
        if isinstance(message, Ready):
            p.ready, p.stage = message, READY
            return True
        if isinstance(message, protocol.Play | protocol.Resign):
            detail = f'expected "ready" before anything else: {quote(raw)}'
            raise Malformed(detail, Cause.TOO_EARLY)
        if isinstance(message, protocol.Error):
            raise Malformed(verdicts.gave_up(message).detail, Cause.ERROR)
        if isinstance(message, protocol.Log):
            self._log(p.number, SaidWhere.LOG, message.text)
        return False

    def _play(self, p: PlayerState, play: protocol.Play, spent: Spent, *, opened: bool) -> bool:
        if play.decision is not None and not (opened and play.decision == p.asked):
            p.stale += 1
            dropped = f"dropped: play {play.action} {play.decision} (not open)"
            self._log(p.number, SaidWhere.REFEREE, dropped)
            return False
        if not opened:
            detail = f"a play that nobody asked for: {quote(play.action)}"
            return self.convict(p, Verdict(Termination.PROTOCOL, detail, Cause.UNASKED), spent)
        late = spent.charged_ms > p.limit_ms
        if late and spent.wall_ms > p.limit_ms + p.seat.clock.margin_ms:
            return self._out_of_time(p, verdicts.silent(p.limit_ms, spent, None), spent)
        try:
            self.course.state.apply_action(p.number, play.action)
        except IllegalAction as error:
            verdict = verdicts.illegal(self.course.state, p.number, play.action, error)
            if p.tries < self._job.rethink and not late:
                self._ask_again(p, verdict, spent)
                return False
            return self.convict(p, verdict, spent)
        if late and p.clock.late_once_more():
            return self._out_of_time(p, verdicts.late_again(p.limit_ms), spent)
        p.settle(play.action, spent, late=late)
        return True

    def _ask_again(self, p: PlayerState, verdict: Verdict, spent: Spent) -> None:
        """Have a player decide again, in the time that is left: its answer was not legal."""
        assert p.feed is not None
        p.tries += 1
        p.pay()
        self._log(p.number, SaidWhere.REFEREE, f"taken back: {verdict.detail}")
        used, left = math.ceil(spent.charged_ms), p.clock.left_ms
        go = protocol.go_line(
            p.asked,
            None if left is None else max(0, left - used),
            p.limit_ms - used,
            part=p.feed.lists_part(self.course.state),
        )
        p.again = f"{protocol.bad_line(verdict.code, verdict.detail)}\n{go}\n".encode("ascii")

    def _out_of_time(self, p: PlayerState, verdict: Verdict, spent: Spent) -> bool:
        published = None
        if self._job.on_timeout == "published":
            published = self.course.state.timeout_action(p.number)
        if published is None:
            return self.convict(p, verdict, spent)
        p.settle(published, spent, late=True, forced=True)
        detail = verdict.detail
        remark = f"{detail}: {published} was played as the rules say"
        self._log(p.number, SaidWhere.REFEREE, remark)
        p.head = f"{protocol.bad_line('time', detail)}\n"
        return True

    def _head(self, p: PlayerState) -> str:
        if p.head is not None:
            return p.head
        n, game = len(self.players), str(self._game)
        return protocol.game_lines(game, p.number, n, p.seat.clock, p.seat.seed) + "\n"

    # carrying out

    def _drop(self, p: PlayerState) -> None:
        assert p.code is not None
        self.course.drop(p.number, p.code, p.decision)

    def _listening(self) -> list[Feed]:
        return [p.feed for p in self.players if p.feed is not None and p.stage is not DROPPED]


def _no_seat_that_asks(p: PlayerState, message: protocol.Unable) -> protocol.Error:
    """Return what ``unable`` is to most bots; raise ``MatchVoid`` if a seat that asks says it."""
    if not (entrant := p.seat.entrant).bot.asks:
        return protocol.Error(message.text)
    text, answered = show(message.text, 200), p.asked - (p.stage is ASKED)
    raise MatchVoid(
        f"{entrant.name} is unable to play now: {text}",
        unable=UnableSeat(entrant.name, text, answered > 0),
    )
