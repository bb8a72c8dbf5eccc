"""Has the referee judge what is heard of bots, with what it took them."""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol

from arena.match import verdicts
from arena.match.charging import NOTHING, Spent
from arena.match.lines import Flood
from arena.match.player import Stage
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.model import Cause, Termination
from arena.said import Source
from arena.session.foreign_load import ForeignLoad
from arena.session.guard import Guard
from arena.session.written import Written

__all__ = ["Judge", "Owner", "Sign"]

WAITS_NS = 20_000_000  # a bot that has waited for a CPU for so long is not believed all of it


class Sign(Protocol):
    """What others are shown of a match while it is played.

    Attributes:
        alive: the monotonic time of the last sign of life; it matters only that it changes.
        over: 1 + the player who was found over its memory, 0 if none was.
    """

    alive: float
    over: int


class Owner(NamedTuple):
    """A worker's end of what connects it with the runner.

    Attributes:
        lifeline: a descriptor whose hang-up means that nobody waits for the match any more.
        sign: where to show the runner, at least every 100 ms while bots are waited for, that the
            match is being played.
    """

    lifeline: int
    sign: Sign


class Judge:
    """Stands between the loop that hears bots out and the referee. Times are ns, monotonic.

    Attributes:
        referee: what decides.
        guards: of the bots in the match, by player; they come and go.
        starts: when the clock of each player who was asked started.
        greeted: when the time to start of each player began.
        written: what they wrote that no record says.
    """

    def __init__(self, referee: Referee, spare: frozenset[int], owner: Owner | None) -> None:
        """Prepare to judge.

        Args:
            referee: what decides.
            spare: children of this process that are no part of the match.
            owner: of the worker that this is; it has no children but those of bots.
        """
        self.referee = referee
        self.guards: dict[int, Guard] = {}
        self.starts: dict[int, int] = {}
        self.greeted: dict[int, int] = {}
        self.written = Written(referee.players)
        self._spare = spare
        self._owner = owner
        self._loads: dict[int, ForeignLoad] = {}  # of those who wait for a CPU
        self._told: set[int] = set()  # who was told that it was dropped

    def asked(self, player: int, start: int) -> None:
        """Take note of when a player's clock has started."""
        self.starts[player] = start
        self._loads.pop(player, None)

    def line(self, player: int, raw: bytes, now: int, late_ns: int) -> bool:
        """Judge a line that may have come ``late_ns`` ago; whether it settled the player."""
        guard, start = self.guards[player], self.starts.get(player)
        if start is None:
            return self.unasked(player, raw)
        spent = guard.spent(now - late_ns - start, now, self._doubted_ns(player))
        settled = self._line(player, raw, spent)
        if settled:
            guard.answered(now)
            self.tell_dropped(player)
        return settled

    def unasked(self, player: int, raw: bytes) -> bool:
        """Judge a line of a player whose time does not matter; whether it settled the player."""
        return self._line(player, raw, NOTHING)

    def thinks(self, player: int) -> None:
        """Take note that a player did not answer at once."""
        if player in self.starts:
            self.guards[player].thinks()

    def closed(self, player: int, now: int) -> None:
        """Judge the end of a player's output."""
        guard, started = self.guards[player], player in self.starts
        how, cause = guard.bot.how_it_ended(), guard.bot.why_it_ended()
        partial = guard.bot.lines.partial
        self.written.part(player, partial)
        excess = guard.why_it_ended(guessed=started)
        if excess is not None:
            self.fail(player, excess, now)
            return
        guard.check_isolation(started=started)
        self.fail(player, verdicts.ended(how, cause, partial, ready=started), now)

    def expired(self, player: int, now: int) -> int | None:
        """Judge a player past limit and margin; returns its new deadline, if that moves."""
        self.guards[player].check_memory()
        bot, spent = self.guards[player].bot, self._spent(player, now)
        unsettled_ms = self._unsettled_ms(player, spent, now)
        cores = len(os.sched_getaffinity(0))
        more_ms = self.referee.overdue(player, spent, unsettled_ms=unsettled_ms, cores=cores)
        if more_ms is not None:
            self._make_room()
            self._doubt(player)
            return now + int(more_ms * 1e6)
        self.written.part(player, bot.lines.partial)
        if player in self.starts and bot.tree.namespaced and bot.closed_stdout():
            how = "it closed its stdout"
            ended = verdicts.ended(how, Cause.CLOSED, bot.lines.partial, ready=True)
            self.referee.fail(player, ended, spent)
        else:
            self.referee.expired(player, bot.lines.partial, bool(bot.unwritten), spent)
        self.tell_dropped(player)
        return None

    def watch(self, now: int) -> None:
        """See who computes unasked, and who is asked and waits for a CPU."""
        for player, guard in self.guards.items():
            if not self._is_asked(player):
                guard.look_idle(now)
            elif player in self._loads:
                self._doubted_ns(player)  # what others do is seen best if it is looked at often
            elif not guard.ponder and guard.waited_ns() > WAITS_NS:
                self._doubt(player)

    def flooded(self, player: int, flood: Flood, now: int | None) -> None:
        """Judge a player that wrote too much; ``now`` as for ``fail``."""
        self.written.part(player, flood.line)
        ready = self.referee.players[player].ready is not None
        self.fail(player, verdicts.flooded(flood, ready=ready), now)

    def fail(self, player: int, verdict: Verdict, now: int | None) -> None:
        """Drop a player for what became of it; ``now``: ``None`` where its time does not matter."""
        spent = NOTHING if now is None else self._spent(player, now)
        self.referee.fail(player, verdict, spent)
        self.tell_dropped(player)

    def look(self, now: int) -> list[tuple[int, Verdict]]:
        """Look at what everybody holds, and does unasked; return who was killed, and for what."""
        killed = []
        for player, guard in self.guards.items():
            excess = guard.look(now)
            if excess is None:
                continue
            held = f"{guard.held_bytes} bytes were counted"
            remark = f"killed: {excess.detail} ({held})"
            guard.bot.capture.add_line(remark, Source.REFEREE)
            if excess.code is Termination.MEMORY and self._owner is not None:
                self._owner.sign.over = 1 + player  # first of all: the next to be killed may be we
            guard.bot.tree.kill()
            killed.append((player, excess))
        return killed

    def tell_dropped(self, player: int) -> None:
        """Tell a player why it was dropped, if it was, while others may still be asked."""
        if self.referee.dropped(player) and player not in self._told:
            self._told.add(player)
            self.guards[player].bot.write(self.referee.farewell(player))

    def _line(self, player: int, raw: bytes, spent: Spent) -> bool:
        before = self.referee.players[player].stage
        settled = self.referee.line(player, raw, spent)
        self.written.line(player, before, raw)
        return settled

    def _spent(self, player: int, now: int) -> Spent:
        start = self.starts.get(player, self.greeted.get(player))
        if start is None:
            return NOTHING
        return self.guards[player].spent(now - start, now, self._doubted_ns(player))

    def _unsettled_ms(self, player: int, spent: Spent, now: int) -> float:
        """Return how much less a player may turn out to be charged than it seems now.

        That is a wait which the kernel has not counted yet, as far as it would be believed.
        """
        ns = self.guards[player].bot.meter.unsettled_ns(now)
        if ns and player in self._loads:
            ns = min(ns, int((spent.charged_ms - (spent.cpu_ms or 0.0)) * 1e6))
            ns -= self._doubted_ns(player, ns) - self._doubted_ns(player)
        return ns / 1e6

    def _doubted_ns(self, player: int, more_ns: int = 0) -> int:
        load = self._loads.get(player)
        return 0 if load is None else load.doubted_ns(more_ns)

    def _is_asked(self, player: int) -> bool:
        return self.referee.players[player].stage in (Stage.ASKED, Stage.GREETED)

    def _doubt(self, player: int) -> None:
        """Believe of a player's wait from now on only what others explain.

        So all others are stopped. While one of them is asked, too, nobody knows who of them does
        what cannot be seen, and all is believed; as it is where a control group counts all.
        """
        bot = self.guards[player].bot
        others = [other for other in self.guards if other != player]
        if player in self._loads or bot.tree.group is not None or any(map(self._is_asked, others)):
            return
        self._make_room()
        bots = [self.guards[other].bot for other in others]
        self._loads[player] = ForeignLoad(bot, bots, self._spare)

    def _make_room(self) -> None:
        """Stop those in the match who are not asked: it may be they who take the CPU.

        Where all may think at all times that is no fault of theirs, and yet nobody may lose by it.
        """
        for player, guard in self.guards.items():
            if not self._is_asked(player):
                guard.stop()
