"""A bot that runs, in a match or between matches, and what is looked at of it."""

from __future__ import annotations

import time

from arena.match.verdicts import Verdict
from arena.process.bot import CHECK_NS, BotProcess
from arena.session.holdings import Holdings
from arena.session.idle import Idle

CHECK_SHARE = 20  # at most one part of the time in so many is spent on looks


class Guard:
    """Looks at one bot, as long as it is in one match, or in none.

    Attributes:
        bot: its process.
        holds: what it holds.
        idle: what it does while it is not asked.
    """

    def __init__(self, bot: BotProcess, *, ponder: bool) -> None:
        """Begin to watch; ``ponder``: may it think while others decide?"""
        self.bot = bot
        self.holds = Holdings(bot)
        self.idle = Idle(bot, ponder=ponder)

    def look(self, now: int) -> Verdict | None:
        """Look at what the bot holds and does unasked, if it is time to.

        Returns:
            What it is to be condemned for; nothing once it has been.
        """
        bot = self.bot
        if now < bot.next_check_ns or bot.excess is not None:
            return None
        begin = time.thread_time_ns()  # a bot that takes our core must not put off the next look
        self.idle.look(now)
        excess = bot.excess or self.holds.look()
        cost = time.thread_time_ns() - begin
        bot.next_check_ns = time.monotonic_ns() + max(CHECK_NS, CHECK_SHARE * cost)
        return excess
