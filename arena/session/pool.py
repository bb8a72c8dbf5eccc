"""What is kept from one match to the next, bot processes first of all."""

from __future__ import annotations

import time
from typing import NamedTuple

from arena.match.protocol import Ready
from arena.model import Seat
from arena.process.bot import LOOK_NS, BotProcess
from arena.process.launcher import dismiss_launcher
from arena.process.meter import OwnMeter
from arena.session.guard import LOOK_SHARE, Guard
from arena.session.parting import dismiss

__all__ = ["QUIT_MS", "Kept", "Pool"]

QUIT_MS = 1000  # a bot leaves within this after `quit`
MAX_KEPT = 64


class Kept(NamedTuple):
    """A process that is kept, and what it said to ``hello``.

    Its guard says whether it thought meanwhile.
    """

    guard: Guard
    ready: Ready


class Pool:
    """Bot processes that are kept from one match to the next, the least used given up first.

    Attributes:
        own: the meter of the thread that plays, which opens a file.
    """

    def __init__(self) -> None:
        self.own = OwnMeter()
        self._kept: dict[object, Kept] = {}
        self._ended: list[BotProcess] = []  # killed, and to be waited for
        self._look_at = 0

    def take(self, seat: Seat) -> Kept | None:
        """Take a kept process of this very bot out of the pool, if one is there and alive."""
        kept = self._kept.pop(self._key(seat), None)
        if kept is None:
            return None
        guard, bot = kept.guard, kept.guard.bot
        guard.look_idle(time.monotonic_ns())
        bot.drain()  # after the end of a game nothing it wrote matters
        if bot.has_exited() or not bot.stdout_open:
            bot.kill()
            return None
        guard.release()
        return kept

    def give(self, seat: Seat, bot: BotProcess, ready: Ready, *, ponder: bool) -> None:
        """Put a process into the pool; ``ponder``: may it think there?"""
        older = self._kept.pop(self._key(seat), None)
        if older is not None:
            older.guard.bot.kill()
        guard = Guard(bot, bot.memory_bytes, ponder=ponder)
        guard.rest(time.monotonic_ns())
        self._kept[self._key(seat)] = Kept(guard, ready)
        if len(self._kept) > MAX_KEPT:
            first = next(iter(self._kept))
            self._kept.pop(first).guard.bot.kill()

    def look(self, now: int) -> None:
        """Look at who is kept, if it is time to: none may use what a match needs.

        Who thinks is stopped; who holds more than its memory is ended, and starts again next time.
        Its death may take a second, for which those in a match must not wait: see ``bury``.
        """
        if now < self._look_at:
            return
        begin = time.thread_time_ns()
        for key, kept in tuple(self._kept.items()):
            if kept.guard.look(now) is not None:
                bot = self._kept.pop(key).guard.bot
                bot.tree.kill()
                self._ended.append(bot)
        cost = time.thread_time_ns() - begin
        self._look_at = time.monotonic_ns() + max(LOOK_NS, LOOK_SHARE * cost)

    def bury(self) -> None:
        """Wait for the end of those that looks have killed; to be called when nobody is asked."""
        while self._ended:
            self._ended.pop().kill()

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots kept."""
        return frozenset(kept.guard.bot.pid for kept in self._kept.values())

    def dismiss(self) -> None:
        """Have every kept bot leave, and the launcher; the pool is of no use after this."""
        self.own.close()
        guards = [kept.guard for kept in self._kept.values()]
        for guard in guards:
            guard.release()
        self._kept.clear()
        self.bury()
        dismiss(guards, QUIT_MS)
        dismiss_launcher()

    @staticmethod
    def _key(seat: Seat) -> object:
        return (seat.entrant, seat.bot.hash, seat.args, seat.env, seat.memory_bytes)
