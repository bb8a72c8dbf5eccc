"""What a bot does while it is not asked: who thinks although it may not is stopped."""

from __future__ import annotations

from arena.match.charging import pondered
from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess
from arena.session.helpers import Helpers
from arena.values.model import Cause, Termination


class Idle:
    """Watches, stops and wakes one bot. Times are ns of the monotonic clock.

    Attributes:
        ponder: may it think while others decide?
        pondered: did it, although it may not? Then it is stopped while it is not asked.
        frozen: is it stopped?
        since: when its last answer came; 0 while it is asked, and before.
    """

    __slots__ = ("_bot", "_cpu_ns", "_helpers", "frozen", "ponder", "pondered", "since")

    def __init__(self, bot: BotProcess, *, ponder: bool) -> None:
        """Begin with a bot that runs and is asked, or has not said that it is ready."""
        self._bot = bot
        self.ponder = ponder
        self.pondered = self.frozen = False
        self.since = self._cpu_ns = 0
        self._helpers: Helpers | None = None  # since then

    def begin(self, now: int, cpu_ns: int) -> None:
        """Take note of an answer: what the bot uses from now on is for nothing that was asked.

        ``cpu_ns`` is what it had used. Who is asked no more without having answered may well be at
        it still: of that no note is taken.
        """
        if not self.ponder:
            self.since, self._cpu_ns, self._helpers = now, cpu_ns, None

    def end(self, now: int, cpu_ns: int) -> None:
        """Take note that the bot is asked, and judge what it used meanwhile."""
        self._judge(now, cpu_ns)
        self.since = 0

    def look(self, now: int) -> None:
        """Stop the bot if it thinks although it is not asked."""
        if not self.since or self.frozen:
            return
        bot = self._bot
        self._judge(now, bot.meter.cpu_ns(now))
        if bot.tree.group is None:
            self._helpers = self._helpers or Helpers()
            self._helpers.look(bot.tree.members())
            self.pondered = self.pondered or self._helpers.come
        if self.pondered:
            self.stop()

    def _judge(self, now: int, cpu_ns: int) -> None:
        if pondered(cpu_ns - self._cpu_ns, now - self.since):
            self.pondered = True

    def stop(self) -> None:
        """Stop a bot that is not asked, until it is or has to leave.

        It is killed if its processes start others as fast as they are stopped: nobody else can do
        that, and all of it is work that is not asked for.
        """
        if not self.frozen:
            self.frozen = True
            if not self._bot.tree.freeze():
                detail = "its processes multiply as fast as they are stopped"
                self._bot.condemn(Verdict(Termination.FLOOD, detail, Cause.PROCESSES))

    def wake(self) -> None:
        """Have a stopped bot go on: to be asked, or to leave."""
        if self.frozen:
            self._bot.tree.thaw()
            self.frozen = False

    def release(self) -> None:
        """Have the bot go on, to be seated or to leave; what it does unasked matters no more."""
        self.since = 0
        self.wake()
