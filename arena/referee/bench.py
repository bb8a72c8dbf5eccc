"""What is kept from one match to the next, bot processes first of all; and how they leave."""

from __future__ import annotations

import select
import time

from arena.model import Seat
from arena.referee.meter import OwnMeter
from arena.referee.process import BotProcess
from arena.referee.protocol import QUIT, Ready

__all__ = ["QUIT_MS", "Bench", "part"]

QUIT_MS = 1000  # a bot leaves within this after `quit`
MAX_BENCH = 64


class Bench:
    """Bot processes that are kept from one match to the next, the least used given up first.

    Attributes:
        own: the meter of the thread that plays, which opens a file.
    """

    def __init__(self) -> None:
        self.own = OwnMeter()
        self._kept: dict[object, tuple[BotProcess, Ready]] = {}

    def take(self, seat: Seat) -> tuple[BotProcess, Ready] | None:
        """Take a kept process of this very bot off the bench, if one is there and alive."""
        found = self._kept.pop(self._key(seat), None)
        if found is None:
            return None
        bot = found[0]
        bot.drain()  # after the end of a game nothing it wrote matters
        if bot.has_exited() or not bot.stdout_open:
            bot.kill()
            return None
        return found

    def give(self, seat: Seat, bot: BotProcess, ready: Ready) -> None:
        """Put a process on the bench."""
        older = self._kept.pop(self._key(seat), None)
        if older is not None:
            older[0].kill()
        self._kept[self._key(seat)] = (bot, ready)
        if len(self._kept) > MAX_BENCH:
            first = next(iter(self._kept))
            self._kept.pop(first)[0].kill()

    def pids(self) -> frozenset[int]:
        """Return the process ids of the bots kept."""
        return frozenset(bot.pid for bot, _ in self._kept.values())

    def dismiss(self) -> None:
        """Have every kept bot leave; the bench is of no use after this."""
        self.own.close()
        bots = [bot for bot, _ in self._kept.values()]
        self._kept.clear()
        part(bots, QUIT_MS)

    @staticmethod
    def _key(seat: Seat) -> object:
        return (seat.entrant, seat.bot.hash, seat.args, seat.env, seat.memory_bytes)


def part(bots: list[BotProcess], grace_ms: int) -> None:
    """Have bots leave: ``quit``, the end of their input, a while to go, then kill them."""
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
    while staying and (left := deadline - time.monotonic()) > 0:
        for fd, _ in poll.poll(left * 1000):
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
