"""What is kept from one match to the next, bot processes first of all."""

from __future__ import annotations

import logging
import os
import resource
import sys
import time

from arena.machine.heartbeat import NO_PLAYER, mark_of
from arena.match.protocol import Ready
from arena.process.bot import CHECK_NS, BotProcess
from arena.process.launcher import dismiss_launcher, end_strays
from arena.process.machine_memory import free_part
from arena.process.meter import OwnMeter
from arena.sandbox.slots import FIRST_UID, LAST_UID
from arena.session.guard import CHECK_SHARE, Guard
from arena.session.parting import dismiss
from arena.values.model import Entrant

QUIT_MS = 1000  # a bot leaves within this after `quit`
SETTLE_MS = 100  # one that is kept has so long for `end` and what it likes to say about it
FILES_EACH = 16  # descriptors that a kept bot may take of ours; none takes more than 12
USERS = (LAST_UID + 1 - FIRST_UID) * 3 // 4  # for all workers' kept bots, where bots have their own
OF_ONE_USER = 64  # the most that are kept where all bots run as the user who is not root
FREE_PART = 0.1  # of the memory; where less is free, half of those kept are given up at each look

_log = logging.getLogger(__name__)


class KeptBot(Guard):
    """A bot that is in no match now.

    Attributes:
        ready: what it said to ``hello``.
        settles: until when what it does is for its last match, in ns; 0 once it is at rest.
    """

    def __init__(self, bot: BotProcess, ready: Ready, *, ponder: bool) -> None:
        """Keep a bot that was sent ``end``; ``ponder``: may it think meanwhile?"""
        super().__init__(bot, ponder=ponder)
        self.ready = ready
        self.settles = time.monotonic_ns() + SETTLE_MS * 1_000_000


class Pool:
    """Bot processes that are kept from one match to the next, the least used given up first.

    There are as many as this process may have files open for, and as memory is free for.

    Attributes:
        own: the meter of the thread that plays, which opens a file.
    """

    def __init__(self) -> None:
        self.own = OwnMeter()
        self._kept: dict[tuple[object, ...], KeptBot] = {}
        self._ended: list[BotProcess] = []  # killed, and to be waited for
        self._files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // FILES_EACH
        self._told = False
        self._next_check_ns = 0

    def take(self, entrant: Entrant, player: int = NO_PLAYER) -> KeptBot | None:
        """Take a kept process of this very bot out of the pool, if one is there and alive.

        What it wrote since the end of its last match counts for nothing. A bot that has not read
        `end` yet is waited for, so that late output does not land in the next match.
        """
        kept = self._kept.pop(self._key(entrant), None)
        if kept is None:
            return None
        bot, now = kept.bot, time.monotonic_ns()
        bot.mark = mark_of(bot.pid, player)
        if kept.settles:
            bot.settle((kept.settles - now) / 1e6)
        else:
            kept.idle.look(now)
        bot.lines.forget()
        if not bot.is_quiet():
            bot.drain()
            if bot.excess is not None or bot.has_exited() or not bot.stdout_open:
                bot.kill()
                return None
        kept.idle.release()
        return kept

    def put(self, entrant: Entrant, bot: BotProcess, ready: Ready, *, ponder: bool) -> None:
        """Put a process into the pool that was sent ``end``; ``ponder``: may it think there?"""
        key = self._key(entrant)
        if key in self._kept:
            self._evict(key)
        bot.mark, bot.held = mark_of(bot.pid), BotProcess.held  # it is nobody's
        self._kept[key] = KeptBot(bot, ready, ponder=ponder)
        if len(self._kept) > min(self._files, _users(own=bot.slot is not None)):
            self._evict(next(iter(self._kept)))
            self._tell("it has files, users or processes for no more")

    def look(self, now: int) -> None:
        """Look at the kept bots, if it is time to: they must leave CPU and memory to matches.

        A bot that uses CPU time is stopped. One that holds more than its memory is killed, and
        starts again next time. ``reap`` waits for its end, since that can take a second.
        """
        if now < self._next_check_ns:
            return
        begin = time.thread_time_ns()
        for key, kept in tuple(self._kept.items()):
            if kept.settles and now >= kept.settles:
                kept.bot.drain()
                kept.idle.begin(now, kept.bot.meter.cpu_ns(now))
                kept.settles = 0
            if kept.look(now) is not None:
                self._evict(key)
        if self._kept and free_part() < FREE_PART:
            for key in tuple(self._kept)[: len(self._kept) // 2 + 1]:
                self._evict(key)
            self._tell("this machine has memory for no more")
        cost = time.thread_time_ns() - begin
        self._next_check_ns = time.monotonic_ns() + max(CHECK_NS, CHECK_SHARE * cost)

    def reap(self, staying: frozenset[int] = frozenset()) -> None:
        """Reap the bots that were killed, and kill what a match has left; call it after the match.

        ``staying``: bots that play on.
        """
        self._reap_killed()
        end_strays(staying | self.pids())

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots kept."""
        return frozenset(kept.bot.pid for kept in self._kept.values())

    def evict_all(self) -> None:
        """Keep no bot for now: this machine lacks what a match needs."""
        for key in tuple(self._kept):
            self._evict(key)
        self._reap_killed()

    def close(self) -> None:
        """Have every kept bot leave, and the launcher; the pool is of no use after this."""
        self.own.close()
        leaving = [*self._kept.values()]
        for kept in leaving:
            kept.idle.release()
        self._kept.clear()
        self._reap_killed()
        dismiss(leaving, QUIT_MS)
        dismiss_launcher()

    def _evict(self, key: tuple[object, ...]) -> None:
        """Kill a kept bot; ``_reap_killed`` waits for its end, while no bot is asked."""
        bot = self._kept.pop(key).bot
        bot.tree.kill()
        self._ended.append(bot)

    def _reap_killed(self) -> None:
        while self._ended:
            self._ended.pop().kill()

    def _tell(self, why: str) -> None:
        """Report once that bots are given up, after which they start again for each match."""
        if not self._told:
            self._told = True
            _log.warning(
                "a worker keeps %d bots of `processes: reuse`: %s; the others start again",
                len(self._kept),
                why,
            )

    @staticmethod
    def _key(one: Entrant) -> tuple[object, ...]:
        return (one.name, one.bot.hash, one.args, one.env, one.memory_bytes)


def _users(*, own: bool) -> int:
    """Return how many bots may be kept for the sake of the users that they run as.

    Where bots have users of their ``own``, each CPU may have a worker. Otherwise all are one
    user's, whose processes are counted together, up to a limit that is set when a bot starts.
    """
    if own:
        return max(1, USERS // (os.cpu_count() or 1))
    return sys.maxsize if os.geteuid() == 0 else OF_ONE_USER
