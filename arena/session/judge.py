"""Has the referee judge what is heard of bots, with what it took them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from arena.match.charging import NOTHING, Spent
from arena.match.lines import Flood
from arena.match.player import Excess
from arena.match.referee import Referee
from arena.model import Cause
from arena.process.memory import offer_to_kernel
from arena.session.guard import Guard

__all__ = ["Judge"]

Outside = Callable[[], float]  # CPU time used outside of the match since it was made, in ms


class Judge:
    """Stands between the loop that hears bots out and the referee. Times are ns, monotonic.

    Attributes:
        referee: what decides.
        starts: when the clock of each player who was asked started.
    """

    def __init__(
        self,
        referee: Referee,
        guards: Mapping[int, Guard],
        tell_dropped: Callable[[int], None],
        outside: Callable[[], Outside],
    ) -> None:
        """Prepare to judge.

        Args:
            referee: what decides.
            guards: of the bots in the match; may change between two calls.
            tell_dropped: tells a player that it was dropped, if it was.
            outside: begins to measure the CPU time used outside of the match.
        """
        self.referee = referee
        self.starts: dict[int, int] = {}
        self._guards = guards
        self._tell_dropped = tell_dropped
        self._outside = outside
        self._starved: dict[int, Outside] = {}  # of those whose deadline has moved

    def asked(self, player: int, start: int) -> None:
        """Take note of when a player's clock has started."""
        self.starts[player] = start
        self._starved.pop(player, None)

    def line(self, player: int, raw: bytes, now: int, late_ns: int) -> bool:
        """Judge a line that may have come ``late_ns`` ago; whether it settled the player."""
        guard, start = self._guards[player], self.starts.get(player)
        if start is None:
            settled = self.referee.line(player, raw)
            if settled and (main := guard.bot.tree.main()) is not None:
                offer_to_kernel(main)
            return settled
        settled = self.referee.line(player, raw, guard.spent(now - late_ns - start, now))
        if settled:
            guard.answered(now)
            self._tell_dropped(player)
        return settled

    def thinks(self, player: int) -> None:
        """Take note that a player did not answer at once."""
        if player in self.starts:
            self._guards[player].thinks()

    def closed(self, player: int, now: int) -> None:
        """Judge the end of a player's output."""
        guard, started = self._guards[player], player in self.starts
        how, cause = guard.bot.how_it_ended(), guard.bot.why_it_ended()
        excess = guard.why_it_ended(guessed=started)
        if excess is not None:
            self.exceeded(player, excess, now)
            return
        guard.check_isolation(started=started)
        partial = guard.bot.lines.partial
        self.referee.closed(player, how, cause, partial, self._spent(player, now))
        self._tell_dropped(player)

    def expired(self, player: int, now: int) -> int | None:
        """Judge a player past limit and margin; returns its new deadline, if that moves."""
        bot, spent = self._guards[player].bot, self._spent(player, now)
        unsettled_ms = bot.meter.unsettled_ns(now) / 1e6
        cores = len(os.sched_getaffinity(0))
        more_ms = self.referee.overdue(player, spent, unsettled_ms=unsettled_ms, cores=cores)
        if more_ms is not None:
            if player not in self._starved:
                self._make_room()
                self._starved[player] = self._outside()
            if more_ms > 0:
                return now + int(more_ms * 1e6)
            self.referee.starved(player, self._starved[player]())
        if player in self.starts and bot.tree.namespaced and bot.closed_stdout():
            how = "it closed its stdout"
            self.referee.closed(player, how, Cause.CLOSED, bot.lines.partial, spent)
        else:
            self.referee.expired(player, bot.lines.partial, bool(bot.unwritten), spent)
        self._tell_dropped(player)
        return None

    def flooded(self, player: int, flood: Flood, now: int) -> None:
        """Judge a player that wrote too much."""
        self.referee.flooded(player, flood, self._spent(player, now))
        self._tell_dropped(player)

    def exceeded(self, player: int, excess: Excess, now: int) -> None:
        """Judge a player that was killed for what it used."""
        self.referee.exceeded(player, excess, self._spent(player, now))
        self._tell_dropped(player)

    def _spent(self, player: int, now: int) -> Spent:
        start = self.starts.get(player)
        return NOTHING if start is None else self._guards[player].spent(now - start, now)

    def _make_room(self) -> None:
        """Stop those in the match who are not asked: it may be they who take the CPU.

        Where all may think at all times that is no fault of theirs, and yet nobody may lose by it.
        """
        for player, guard in self._guards.items():
            if not self.referee.is_open(player):
                guard.stop()
