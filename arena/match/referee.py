"""The referee's decisions during one match: what bots said goes in, verdicts and lines come out.

There is no clock, process or file here. The driver starts the bots, then goes node by node:

    referee.begin()
    while not referee.over:
        for player in referee.open_node():     # everyone who owes an action, asked at once
            referee.idle_line(player, line)    # what it wrote unasked
            referee.ask(player)                # → the block to send and the limit
            referee.line(player, line, …)      # or closed, expired, fault: until it is settled
        referee.close_node()                   # actions and drops are carried out, in player order
    referee.farewell(player)                   # → the last lines of each player
    referee.record(…)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from arena.match import protocol
from arena.match.charging import NOTHING, Spent, spent_how
from arena.match.clock import GameClock
from arena.match.feed import Feed, public_setup, tell, tell_deal
from arena.match.forfeit import share_last
from arena.match.opening import Deal
from arena.match.protocol import MAX_LEGAL, Malformed, Ready, quote
from arena.model import (
    Cause,
    Decision,
    Fault,
    MatchJob,
    Player,
    Record,
    Termination,
)
from arena.version import __version__
from engines import Game, IllegalAction, State

__all__ = ["Ask", "Referee"]

Log = Callable[[int, str], None]


class Ask(NamedTuple):
    """A question to one player: the block to write, and the time for the answer."""

    player: int
    block: bytes
    limit_ms: int
    margin_ms: int


class _Verdict(NamedTuple):
    """How a player's decision at the open node was settled: an action, or a drop for ``code``."""

    action: str | None
    code: Termination | None
    decision: Decision


class Referee:
    """One match in progress. See the module's text for the order of calls."""

    def __init__(self, job: MatchJob, game: Game, deal: Deal, log: Log) -> None:
        """Prepare a match on a deal; ``log(player, text)`` takes what bots say by ``log``."""
        n = game.num_players
        assert len(job.seats) == n, f"{game} is for {n} players, not {len(job.seats)}"
        self.faults: list[Fault] = []
        self.actions: list[tuple[int, str | None]] = []
        self.decisions: list[Decision] = []
        self.over = False
        self.by = Termination.RULES
        self._job = job
        self._game = game
        self._deal = deal
        self._log = log
        self._state: State = deal.states[-1]
        self._ready: list[Ready | None] = [None] * n
        self._feeds: list[Feed | None] = [None] * n
        self._clocks = [GameClock(seat.clock) for seat in job.seats]
        self._asked = [0] * n  # decisions asked for so far, a player
        self._open = [False] * n  # is a decision of the player open?
        self._limits = [0] * n  # of the open decision, in milliseconds
        self._info: list[dict[str, float | str]] = [{} for _ in range(n)]
        self._heads: list[str | None] = [None] * n
        self._dropped: dict[int, Termination] = {}
        self._ranks: tuple[int, ...] | None = None  # once it is over
        self._fallen = 0  # drops carried out
        self._last_fall: Termination | None = None  # of the drop that left one player at most
        self._node: tuple[int, ...] = ()
        self._verdicts: dict[int, _Verdict] = {}
        self._answered: State | None = None  # what a lone player's answer led to
        self._news_wanted = True  # does anybody want to be told of actions or events?

    def limit_ms(self, player: int) -> int:
        """Return the limit of the player's open decision."""
        return self._limits[player]

    def is_open(self, player: int) -> bool:
        """Return whether the player is asked, and its decision is not settled."""
        return self._open[player]

    @property
    def state(self) -> State:
        """The present position."""
        return self._state

    # starting

    def ready(self, player: int, raw: bytes) -> bool:
        """Judge a line before the game; returns whether the player is ready.

        Raises:
            Malformed: the line is no part of a handshake (a ``startup`` fault).
        """
        message = protocol.parse(raw)
        if isinstance(message, Ready):
            self.resume(player, message)
            return True
        if isinstance(message, protocol.Play | protocol.Resign):
            raise Malformed(f'expected "ready" before anything else: {quote(raw)}')
        if isinstance(message, protocol.Error):
            raise Malformed(f"the bot cannot go on: {quote(message.text, 200)}")
        if isinstance(message, protocol.Log):
            self._log(player, message.text)
        return False

    def resume(self, player: int, ready: Ready) -> None:
        """Take a player as ready whose process said so in an earlier match."""
        self._ready[player] = ready

    def ready_message(self, player: int) -> Ready | None:
        """Return what the player's process answered to ``hello``, if it did."""
        return self._ready[player]

    def startup_fault(
        self,
        player: int,
        detail: str,
        code: Termination = Termination.STARTUP,
        cause: Cause = "",
    ) -> None:
        """Book that a player's process did not come up, or had to be killed before it did."""
        self._fault(player, code, detail, cause)

    def begin(self) -> None:
        """Start the game, once every player is ready or has failed: the deal is told."""
        n = len(self._job.seats)
        setup = public_setup(self._deal.setup, self._deal.states[0], n)
        for player, (seat, ready) in enumerate(zip(self._job.seats, self._ready, strict=True)):
            if player in self._dropped or ready is None:
                continue
            self._feeds[player] = Feed(player, ready.want, setup, seat.seed, self._job.draw)
            self._heads[player] = protocol.game_lines(
                str(self._game), player, n, seat.clock, seat.seed
            )
        feeds = self._listening()
        self._news_wanted = any(not feed.want.isdisjoint(("did", "event")) for feed in feeds)
        tell_deal(feeds, self._deal.opening, self._deal.states, self._job.draw)
        for player in sorted(self._dropped):
            self._drop(player, Decision())
        self._look_for_end()

    # one node

    def open_node(self) -> tuple[int, ...]:
        """Return the players who owe an action now; they are to be asked, all at once."""
        self._node = self._state.players_to_act()
        self._verdicts.clear()
        self._answered = None
        return self._node

    def settled(self, player: int) -> bool:
        """Return whether the player's decision at the open node is settled."""
        return player in self._verdicts

    def ask(self, player: int) -> Ask:
        """Open the player's decision: what to write to it, and its time."""
        feed = self._feeds[player]
        assert feed is not None
        self._asked[player] += 1
        self._open[player] = True
        clock = self._clocks[player]
        limit = self._limits[player] = clock.limit()
        text, part = feed.ask(self._state, self._asked[player])
        go = protocol.go_line(self._asked[player], clock.left(), limit, part=part)
        block = f"{self._head(player)}{text}{go}\n".encode("ascii")
        return Ask(player, block, limit, self._job.seats[player].clock.margin_ms)

    def idle_line(self, player: int, raw: bytes) -> bool:
        """Judge a line that was written unasked; returns whether it costs the match."""
        return self._judge(player, raw, NOTHING)

    def line(self, player: int, raw: bytes, spent: Spent) -> bool:
        """Judge a line of a player who is asked; returns whether its decision is settled.

        Args:
            player: whose line it is.
            raw: the line without its line feed.
            spent: what the decision took up to the line feed.
        """
        return self._judge(player, raw, spent)

    def early_line(self, player: int, raw: bytes, spent: Spent) -> bool:
        """Judge a line of a player who is asked, but began the line before it was."""
        return self._judge(player, raw, spent, asked=False)

    def closed(self, player: int, how: str, partial: bytes, spent: Spent) -> None:
        """Judge the end of an asked player's output: it exited, died or closed stdout."""
        unfinished = f", in mid-line: {quote(partial)}" if partial else ""
        self._drop_verdict(player, Termination.CRASH, how + unfinished, spent)

    def expired(self, player: int, partial: bytes, unread: bool, spent: Spent) -> None:
        """Judge an asked player that was charged its limit, with the margin, without an answer."""
        limit = self._limits[player]
        detail = f"no complete answer within {limit} ms"
        if partial:
            detail += f"; an unfinished line: {quote(partial)}"
        elif unread:
            detail += "; it did not read what was sent to it"
        elif how := spent_how(spent):
            detail += f"; it was {how}"
        self._out_of_time(player, detail, spent)

    def flooded(self, player: int, detail: str, spent: Spent) -> None:
        """Judge a player that wrote more than one decision may."""
        self._drop_verdict(player, Termination.FLOOD, detail, spent)

    def exceeded(self, player: int, code: Termination, detail: str, spent: Spent) -> None:
        """Judge a player that was killed because its processes had too much of something."""
        self._drop_verdict(player, code, detail, spent)

    def close_node(self) -> None:
        """Carry out what the players answered, in player order, and tell everyone."""
        assert len(self._verdicts) == len(self._node)
        if len(self._node) == 1 and self._answered is not None:
            self._close_turn(self._node[0], self._answered)
            return
        states: list[State] = []
        actions: list[tuple[int, str | None]] = []
        ended_by_drop = False
        for player in self._node:
            action, code, decision = self._verdicts[player]
            if action is None:
                assert code is not None
                self._dropped.setdefault(player, code)
                self._drop(player, decision)
                ended_by_drop = ended_by_drop or self._state.is_terminal()
            elif ended_by_drop:
                continue  # the game ended under this answer's feet
            else:
                self._state = self._state.apply_action(player, action)
                self.actions.append((player, action))
                self.decisions.append(decision)
            actions.append((player, action))
            states.append(self._state)
        tell(self._listening(), actions, states)
        self._look_for_end()

    # the end

    def farewell(self, player: int) -> bytes:
        """Return the last lines for a player: what was held back, its fault if any, ``end``.

        A dropped player is told at once; everyone else when the match is over.
        """
        if self._ready[player] is None:
            return b""
        n = len(self._job.seats)
        seed = self._job.seats[player].seed
        code = self._dropped.get(player)
        if code is not None:
            text = ""
            if code is not Termination.RESIGN:
                fault = next(f for f in self.faults if f.player == player)
                text = protocol.bad_line(code, fault.detail) + "\n"
            text += protocol.end_line(seed, n, n, None, code)
        else:
            feed = self._feeds[player]
            assert feed is not None
            rank = self.ranks()[player]
            text = f"{self._head(player)}{feed.held_back()}" + protocol.end_line(
                seed, rank, n, self.scores(), self.by
            )
        return f"{text}\n".encode("ascii")

    def dropped(self, player: int) -> bool:
        """Return whether the player was dropped."""
        return player in self._dropped

    def ranks(self) -> tuple[int, ...]:
        """Return the final ranks; after ``max_decisions`` all who stayed share the first."""
        if self._ranks is None:
            ranks = self._state.ranks()
            if self.by is Termination.MAXMOVES:
                ranks = tuple(r if p in self._dropped else 1 for p, r in enumerate(ranks))
            never_began = [p for p, feed in enumerate(self._feeds) if feed is None]
            self._ranks = share_last(ranks, never_began)
        return self._ranks

    def scores(self) -> tuple[float, ...] | None:
        """Return the scores if the rules ended the game, else ``None``."""
        return self._state.scores() if self.by is Termination.RULES else None

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
        job = self._job
        common = job.common_clock
        order = [player for player, action in self.actions if action is None]
        faults = sorted(self.faults, key=lambda fault: order.index(fault.player))
        players = []
        for player, seat in enumerate(job.seats):
            feed, ready = self._feeds[player], self._ready[player]
            players.append(
                Player(
                    bot=seat.entrant,
                    version=seat.bot.version,
                    hash=seat.bot.hash,
                    args=seat.args,
                    seed=seat.seed,
                    sent=(feed or Feed(player, (), None, seat.seed)).sent(),
                    want=() if ready is None else ready.want,
                    clock=None if seat.clock == common else seat.clock,
                    env=seat.env,
                    memory_bytes=seat.memory_bytes,
                    pondered=player in pondered,
                )
            )
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
            clock=common,
            players=tuple(players),
            actions=tuple(self.actions),
            decisions=tuple(self.decisions),
            scores=self.scores(),
            ranks=self.ranks(),
            by=self.by,
            faults=tuple(replace(f, stderr=stderr.get(f.player, "")) for f in faults),
            arena_version=__version__,
            sandbox=job.sandbox,
            started=started,
            elapsed_ms=elapsed_ms,
            on_timeout=job.on_timeout,
            ponder=job.ponder,
            draw=job.draw,
        )

    # judging

    def _judge(self, player: int, raw: bytes, spent: Spent, *, asked: bool = True) -> bool:
        try:
            message = protocol.parse(raw)
        except Malformed as error:
            self._drop_verdict(player, Termination.PROTOCOL, str(error), spent, error.cause)
            return True
        if isinstance(message, protocol.Play):
            return self._play(player, message, spent, opened=asked and self._open[player])
        if isinstance(message, protocol.Info):
            kept = self._info[player]
            for key, value in message.values:
                if key in kept or len(kept) < protocol.MAX_INFO:
                    kept[key] = value
        elif isinstance(message, protocol.Log):
            self._log(player, message.text)
        elif isinstance(message, protocol.Resign):
            self._drop_verdict(player, Termination.RESIGN, "", spent)
            return True
        elif isinstance(message, protocol.Error):
            detail = f"the bot cannot go on: {quote(message.text, 200)}"
            self._drop_verdict(player, Termination.CRASH, detail, spent)
            return True
        return False

    def _play(self, player: int, play: protocol.Play, spent: Spent, *, opened: bool) -> bool:
        if play.decision is not None and not (opened and play.decision == self._asked[player]):
            self._log(player, f"[referee] dropped: play {play.action} {play.decision} (not open)")
            return False
        if not opened:
            detail = f"a play that nobody asked for: {quote(play.action)}"
            self._drop_verdict(player, Termination.PROTOCOL, detail, spent)
            return True
        clock = self._clocks[player]
        limit = self._limits[player]
        late = spent.charged_ms > limit
        if late and spent.wall_ms > limit + self._job.seats[player].clock.margin_ms:
            self.expired(player, b"", False, spent)
            return True
        try:
            after = self._state.apply_action(player, play.action)
        except IllegalAction as error:
            detail = f"{quote(play.action)} is not legal: {error}; {self._expected(player)}"
            self._drop_verdict(player, Termination.ILLEGAL, detail, spent)
            return True
        if late and clock.late_once_more():
            detail = f"the third answer of the match over its limit (this one of {limit} ms)"
            self._out_of_time(player, detail, spent)
            return True
        clock.charge(spent.charged_ms)
        self._answered = after
        self._settle(player, play.action, None, self._decision(player, spent, late))
        return True

    def _out_of_time(self, player: int, detail: str, spent: Spent) -> None:
        published = (
            self._state.timeout_action(player) if self._job.on_timeout == "published" else None
        )
        if published is None:
            self._drop_verdict(player, Termination.TIME, detail, spent)
            return
        self._clocks[player].charge(spent.charged_ms)
        self._answered = None
        if len(self._node) == 1:
            self._answered = self._state.apply_action(player, published)
        self._log(player, f"[referee] {detail}: {published} was played as the rules say")
        forced = self._decision(player, spent, late=True)._replace(forced=True)
        head = protocol.bad_line("time", detail) + "\n"
        self._heads[player] = head + (self._heads[player] or "")
        self._settle(player, published, None, forced)

    def _drop_verdict(
        self,
        player: int,
        code: Termination,
        detail: str,
        spent: Spent = NOTHING,
        cause: Cause = "",
    ) -> None:
        if code is not Termination.RESIGN:
            self._fault(player, code, detail, cause)
        self._settle(player, None, code, self._decision(player, spent, late=False))

    def _settle(
        self, player: int, action: str | None, code: Termination | None, decision: Decision
    ) -> None:
        self._open[player] = False
        self._verdicts[player] = _Verdict(action, code, decision)
        if code is not None:
            self._dropped[player] = code

    def _fault(self, player: int, code: Termination, detail: str, cause: Cause = "") -> None:
        self._dropped[player] = code
        self.faults.append(Fault(player, code, self._asked[player], detail, cause=cause))

    def _decision(self, player: int, spent: Spent, late: bool) -> Decision:
        kept = self._info[player]
        info: tuple[tuple[str, float | str], ...] = ()
        if kept:
            info = tuple(kept.items())
            kept.clear()
        wall_ms, cpu_ms, charged_ms = spent
        return Decision(wall_ms, cpu_ms, charged_ms, late, False, info)

    def _expected(self, player: int) -> str:
        count = self._state.count_legal(player)
        if count > MAX_LEGAL:
            return f"expected one of {count} legal actions"
        example = self._state.legal_actions(player)[0]
        return f"expected one of {count} legal actions, such as {example}"

    # carrying out

    def _close_turn(self, player: int, after: State) -> None:
        """Carry out the answer of a lone player, whose state was made when it was judged."""
        action, _, decision = self._verdicts[player]
        self._state = after
        self.actions.append((player, action))
        self.decisions.append(decision)
        if self._news_wanted:
            tell(self._listening(), ((player, action),), (after,))
        self._look_for_end()

    def _listening(self) -> list[Feed]:
        dropped = self._dropped
        return [f for f in self._feeds if f is not None and f.player not in dropped]

    def _drop(self, player: int, decision: Decision) -> None:
        self._state = self._state.drop_player(player)
        self.actions.append((player, None))
        self.decisions.append(decision)
        self._fallen += 1
        n = len(self._job.seats)
        if n - self._fallen <= min(1, n - 1) and self._last_fall is None:
            self._last_fall = self._dropped[player]

    def _look_for_end(self) -> None:
        limit = self._job.max_decisions
        if self._state.is_terminal():
            self.over = True
            self.by = self._last_fall or Termination.RULES
        elif limit is not None and len(self.actions) >= limit:
            self.over = True
            self.by = Termination.MAXMOVES

    def _head(self, player: int) -> str:
        head = self._heads[player]
        if head is None:
            return ""
        self._heads[player] = None
        return head if head.endswith("\n") else head + "\n"
