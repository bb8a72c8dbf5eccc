"""What is kept from one match to the next, bot processes first of all."""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import sys
import time
from dataclasses import dataclass

from arena.crash import cross
from arena.match.protocol import HELLO, Ready
from arena.model import MatchJob, Seat
from arena.process.bot import LOOK_NS, BotProcess, LaunchError, count_children, kill_strays
from arena.process.launcher import dismiss_launcher, launchers
from arena.process.machine_memory import free_part
from arena.process.meter import OwnMeter
from arena.sandbox.slots import FIRST_UID, LAST_UID, needs_slots
from arena.session.guard import LOOK_SHARE, Guard
from arena.session.launch import UNGROUPED, launch
from arena.session.parting import dismiss

__all__ = ["QUIT_MS", "SETTLE_MS", "Kept", "Pool"]

QUIT_MS = 1000  # a bot leaves within this after `quit`
SETTLE_MS = 100  # one that is kept has so long for `end` and what it likes to say about it
AHEAD_MS = 1000  # a bot started ahead of its match runs for so long, then it sleeps or is stopped
FILES_EACH = 16  # descriptors that a kept bot may take of ours; none takes more than 12
USERS = (LAST_UID + 1 - FIRST_UID) * 3 // 4  # for all workers' kept bots, where bots have their own
OF_ONE_USER = 64  # the most that are kept where all bots run as the user who is not root
FREE_PART = 0.1  # of the memory; where less is free, half of those kept are given up at each look

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Kept:
    """A process that is in no match now, and what it said to ``hello``.

    Attributes:
        guard: it says whether the bot thought meanwhile.
        ready: what it said; ``None``: it was started ahead of its match, where its answer is read.
        settles: until when what it does is for its last match, or to start, in ns; 0 once it is at
            rest.
        greeted: when it was started and greeted ahead, in ns.
        held: when it was stopped until it is taken, in ns.
    """

    guard: Guard
    ready: Ready | None
    settles: int
    greeted: int = 0
    held: int = 0


class Pool:
    """Bot processes that are kept from one match to the next, the least used given up first.

    There are as many as this process may have files open for, and as memory is free for. With them
    are those that were started ahead of their matches.

    Attributes:
        own: the meter of the thread that plays, which opens a file.
    """

    def __init__(self) -> None:
        self.own = OwnMeter()
        self._kept: dict[tuple[object, ...], Kept] = {}
        self._ended: list[BotProcess] = []  # killed, and to be waited for
        self._files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // FILES_EACH
        self._told = False
        self._look_at = 0

    def start_ahead(self, job: MatchJob) -> None:
        """Start and greet the bots of a match to come, on the cores that this process may use now.

        Their time to start counts from now on, as in a match; what they answer is read there. A
        program that cannot be started is left to its match, which says why. Nobody is started where
        more would be in the pool than may be kept, nor at a level that isolates nothing: there
        orphans of bots become children of ours, and are killed when any match is over.

        Raises:
            OSError: this machine lacks something, or failed.
        """
        most = min(self._files, _users(own=needs_slots()))
        if job.sandbox == UNGROUPED or len(self._kept) + len(job.seats) > most:
            return
        for player, seat in enumerate(job.seats):
            key = (job.number, player)
            if player in job.over_memory or key in self._kept:
                continue
            with contextlib.suppress(LaunchError):
                cross("spawn")
                bot = BotProcess(launch(seat, job.sandbox))
                guard, now = Guard(bot, seat.memory_bytes, ponder=False), time.monotonic_ns()
                self._kept[key] = Kept(guard, None, now + AHEAD_MS * 1_000_000, greeted=now)
                bot.write(HELLO)
                cross("spawned")

    def hold_started(self, job: MatchJob, now: int) -> None:
        """Stop those started ahead for a match until they are taken, one after the other.

        Who was stopped before, or whose time to start is over, is ended, and the match starts it
        again: so what a bot is found to do is the same with and without this.
        """
        for player, seat in enumerate(job.seats):
            key = (job.number, player)
            kept = self._kept.get(key)
            if kept is None:
                continue
            if kept.guard.frozen or now - kept.greeted > seat.clock.start_ms * 1_000_000:
                self._give_up(key)
            else:
                kept.guard.stop()
                kept.held = now
        self._bury()

    def take_started(self, job: MatchJob, player: int) -> Kept | None:
        """Take a bot out of the pool that was started ahead for this match.

        What it has written, and whether it lives, is judged in the match. The time for which it was
        held is no part of its time to start.
        """
        kept = self._kept.pop((job.number, player), None)
        if kept is not None:
            kept.greeted += time.monotonic_ns() - kept.held
            kept.guard.release()
        return kept

    def give_up_started(self, match: int) -> None:
        """Give up those that were started ahead for a match which ended before it took them."""
        for key, kept in tuple(self._kept.items()):
            if kept.ready is None and key[0] == match:
                self._give_up(key)

    def take(self, seat: Seat) -> Kept | None:
        """Take a kept process of this very bot out of the pool, if one is there and alive.

        What it wrote since the end of its last match is nobody's. Who has not read that end yet
        does so now, or its last words would come amid the next match.
        """
        kept = self._kept.pop(self._key(seat), None)
        if kept is None:
            return None
        guard, bot, now = kept.guard, kept.guard.bot, time.monotonic_ns()
        if kept.settles:
            bot.settle((kept.settles - now) / 1e6)
        else:
            guard.look_idle(now)
        bot.lines.forget()
        if not bot.is_quiet():
            bot.drain()
            if bot.has_exited() or not bot.stdout_open:
                bot.kill()
                return None
        guard.release()
        return kept

    def give(self, seat: Seat, bot: BotProcess, ready: Ready, *, ponder: bool) -> None:
        """Put a process into the pool that was sent ``end``; ``ponder``: may it think there?"""
        key = self._key(seat)
        if key in self._kept:
            self._give_up(key)
        guard = Guard(bot, bot.memory_bytes, ponder=ponder)
        self._kept[key] = Kept(guard, ready, time.monotonic_ns() + SETTLE_MS * 1_000_000)
        if len(self._kept) > min(self._files, _users(own=bot.slot is not None)):
            self._give_up(next(iter(self._kept)))
            self._tell("it has files, users or processes for no more")

    def look(self, now: int) -> None:
        """Look at who is kept, if it is time to: none may use what a match needs.

        Who thinks is stopped; who holds more than its memory is ended, and starts again next time.
        Its death may take a second, for which those in a match must not wait: see ``tidy``.
        """
        if now < self._look_at:
            return
        begin = time.thread_time_ns()
        for key, kept in tuple(self._kept.items()):
            guard = kept.guard
            if kept.settles and now >= kept.settles:
                if kept.ready is not None:  # else what it writes belongs to its match
                    guard.bot.drain()
                guard.rest(now)
                kept.settles = 0
            if guard.look(now) is not None:
                self._give_up(key)
        if self._kept and free_part() < FREE_PART:
            for key in tuple(self._kept)[: len(self._kept) // 2 + 1]:
                self._give_up(key)
            self._tell("this machine has memory for no more")
        cost = time.thread_time_ns() - begin
        self._look_at = time.monotonic_ns() + max(LOOK_NS, LOOK_SHARE * cost)

    def tidy(self, spare: frozenset[int], *, alone: bool) -> None:
        """Bury who was killed, and kill what a match has left; to be called when it is over.

        Nothing is left where a worker has as many children as stay, which one look tells.

        Args:
            spare: children that are to stay, beside the bots kept; ``alone`` as for
                ``kill_strays``.
        """
        self._bury()
        if not alone or count_children() != len(spare) + len(self._kept) + len(launchers()):
            kill_strays(spare | self.pids(), alone=alone)

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots kept."""
        return frozenset(kept.guard.bot.pid for kept in self._kept.values())

    def give_way(self) -> None:
        """Keep nobody for now: this machine lacks what a match needs."""
        for key in tuple(self._kept):
            self._give_up(key)
        self._bury()

    def dismiss(self) -> None:
        """Have every kept bot leave, and the launcher; the pool is of no use after this.

        Those that were started ahead are killed at once: they have played nothing.
        """
        self.own.close()
        for key, kept in tuple(self._kept.items()):
            if kept.ready is None:
                self._give_up(key)
        guards = [kept.guard for kept in self._kept.values()]
        for guard in guards:
            guard.release()
        self._kept.clear()
        self._bury()
        dismiss(guards, QUIT_MS)
        dismiss_launcher()

    def _give_up(self, key: tuple[object, ...]) -> None:
        """Kill a kept bot, which is buried when nobody is asked."""
        bot = self._kept.pop(key).guard.bot
        bot.tree.kill()
        self._ended.append(bot)

    def _bury(self) -> None:
        while self._ended:
            self._ended.pop().kill()

    def _tell(self, why: str) -> None:
        """Report once that bots are given up, after which they start again for each match."""
        if not self._told:
            self._told = True
            _log.warning(
                "a worker keeps %d bots of `processes: reuse`: %s; the others start again",
                *(len(self._kept), why),
            )

    @staticmethod
    def _key(seat: Seat) -> tuple[object, ...]:
        return (seat.entrant, seat.bot.hash, seat.args, seat.env, seat.memory_bytes)


def _users(*, own: bool) -> int:
    """Return how many bots may be kept for the sake of the users that they run as.

    Where bots have users of their ``own``, each CPU may have a worker. Otherwise all are one
    user's, whose processes are counted together, up to a limit that is set when a bot starts.
    """
    if own:
        return max(1, USERS // (os.cpu_count() or 1))
    return sys.maxsize if os.geteuid() == 0 else OF_ONE_USER
