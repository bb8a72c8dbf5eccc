"""What is kept from one match to the next, bot processes first of all; and how they leave."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from typing import NamedTuple

from arena.match.charging import pondered
from arena.match.protocol import QUIT, Ready
from arena.model import Seat
from arena.process.bot import LOOK_NS, BotProcess
from arena.process.freeze import freeze, thaw
from arena.process.launcher import dismiss_launcher
from arena.process.memory import MAX_PROCESSES, usage
from arena.process.meter import OwnMeter

__all__ = ["QUIT_MS", "Pool", "Taken", "dismiss"]

QUIT_MS = 1000  # a bot leaves within this after `quit`
MAX_KEPT = 64


LOOK_SHARE = 20  # at most one part of the time in so many is spent on looks


class Taken(NamedTuple):
    """A process from the pool, what it said to ``hello``, and whether it thought meanwhile."""

    bot: BotProcess
    ready: Ready
    pondered: bool


@dataclass(slots=True)
class _Kept:
    """A process in the pool: since when, what it had used by then, and whether it is stopped."""

    bot: BotProcess
    ready: Ready
    watched: bool
    since: int
    cpu_ns: int
    stopped: bool = False


class Pool:
    """Bot processes that are kept from one match to the next, the least used given up first.

    Attributes:
        own: the meter of the thread that plays, which opens a file.
    """

    def __init__(self) -> None:
        self.own = OwnMeter()
        self._kept: dict[object, _Kept] = {}
        self._ended: list[BotProcess] = []  # killed, and to be waited for
        self._look_at = 0

    def take(self, seat: Seat) -> Taken | None:
        """Take a kept process of this very bot out of the pool, if one is there and alive."""
        kept = self._kept.pop(self._key(seat), None)
        if kept is None:
            return None
        bot = kept.bot
        self._judge(kept, time.monotonic_ns())
        bot.drain()  # after the end of a game nothing it wrote matters
        if bot.has_exited() or not bot.stdout_open:
            bot.kill()
            return None
        if kept.stopped:
            thaw(bot.tree)
        return Taken(bot, kept.ready, kept.stopped)

    def give(self, seat: Seat, bot: BotProcess, ready: Ready, *, ponder: bool) -> None:
        """Put a process into the pool; ``ponder``: may it think there?"""
        older = self._kept.pop(self._key(seat), None)
        if older is not None:
            older.bot.kill()
        now = time.monotonic_ns()
        self._kept[self._key(seat)] = _Kept(bot, ready, not ponder, now, bot.meter.cpu_ns(now))
        if len(self._kept) > MAX_KEPT:
            first = next(iter(self._kept))
            self._kept.pop(first).bot.kill()

    def look(self, now: int) -> None:
        """Look at who is kept, if it is time to: none may use what a match needs.

        Who thinks is stopped; who holds more than its memory is ended, and starts again next time.
        Its death may take a second, for which those at the table must not wait: see ``bury``.
        """
        if now < self._look_at:
            return
        begin = time.thread_time_ns()
        for key, kept in tuple(self._kept.items()):
            self._judge(kept, now)
            if _holds_too_much(kept.bot):
                bot = self._kept.pop(key).bot
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
        return frozenset(kept.bot.pid for kept in self._kept.values())

    def dismiss(self) -> None:
        """Have every kept bot leave, and the launcher; the pool is of no use after this."""
        self.own.close()
        bots = [kept.bot for kept in self._kept.values()]
        for kept in self._kept.values():
            if kept.stopped:
                thaw(kept.bot.tree)
        self._kept.clear()
        self.bury()
        dismiss(bots, QUIT_MS)
        dismiss_launcher()

    @staticmethod
    def _judge(kept: _Kept, now: int) -> None:
        """Stop a bot that has used a CPU since it was put in the pool."""
        if kept.watched and not kept.stopped:
            used = kept.bot.meter.cpu_ns(now) - kept.cpu_ns
            if pondered(used, now - kept.since):
                freeze(kept.bot.tree)
                kept.stopped = True

    @staticmethod
    def _key(seat: Seat) -> object:
        return (seat.entrant, seat.bot.hash, seat.args, seat.env, seat.memory_bytes)


def dismiss(bots: list[BotProcess], grace_ms: int) -> None:
    """Have bots leave: ``quit``, the end of their input, a while to go, then kill them.

    One that takes more than its memory meanwhile is killed at once.
    """
    if not bots:
        return
    deadline = time.monotonic() + grace_ms / 1000
    poll = select.poll()
    open_fds: dict[int, BotProcess] = {}
    for bot in bots:
        if bot.write(f"{QUIT}\n".encode()):
            bot.close_stdin()
        for fd in (bot.stdout, bot.stderr, bot.pidfd):
            poll.register(fd, select.POLLIN)
            open_fds[fd] = bot
    staying = set(bots)
    look_at = time.monotonic_ns() + LOOK_NS
    while staying and (left := deadline - time.monotonic()) > 0:
        events = poll.poll(min(left * 1000, LOOK_NS / 1e6))
        if time.monotonic_ns() >= look_at:
            for bot in tuple(staying):
                if _holds_too_much(bot):
                    bot.tree.kill()
                    staying.discard(bot)
            look_at = time.monotonic_ns() + LOOK_NS
        for fd, _ in events:
            bot = open_fds[fd]
            if fd == bot.pidfd or bot.over_caps():
                staying.discard(bot)
            elif fd == bot.stdout:
                if bot.discard() or bot.stdout_open:
                    continue
            elif bot.read_stderr() or bot.stderr_open:
                continue
            poll.unregister(fd)
    for bot in bots:
        bot.kill()


def _holds_too_much(bot: BotProcess) -> bool:
    """Return whether a bot that plays no match has more memory or processes than it may."""
    held = usage(bot.tree, bot.memory_bytes, MAX_PROCESSES)
    return held.memory_bytes > bot.memory_bytes or held.processes > MAX_PROCESSES
