"""The stopwatch of one bot: takes the readings by which a decision, or its start, is charged.

What is charged for them is the rule of time, which stands in ``arena/match/charging.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.match.charging import Reading, Spent, spent
from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess
from arena.session.helpers import Helpers
from arena.session.listening import UnheardTime
from arena.values.model import Cause, Termination

WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the question
INSTANT_NS = 1_000_000  # whether so quick an answer had to wait is not looked at
MOST_HELD_NS = 2_000_000_000  # that a call on its pipe may take because the bot holds its lock
MOST_HOLDS_NS = 3_000_000_000  # and all calls of a match, each without the first 100 ms
BELIEVED_NS = 1_000_000_000  # the least that is believed of a decision's wait for a CPU


class Stopwatch:
    """Measures how long a bot takes to start and to decide, in ns of a clock that never goes back.

    Attributes:
        asked_at: when it was asked last.
        asked_cpu_ns: what its processes had used then.
        start: when the clock of that decision, or its time to start, began.
        deadline: when it is looked at for having used it up.
        cpu_ns: what they had when that was last read.
        held_ns: for how long since its start the bot held its own pipe.
        clock: says what time it is.
        helpers: the processes that it was found with while it was asked and waited for a CPU.
    """

    def __init__(self, bot: BotProcess, listening: UnheardTime, clock: Callable[[], int]) -> None:
        """Begin with a bot; ``listening`` knows for how long nobody listened to it."""
        self._bot, self._listening, self.clock = bot, listening, clock
        self.helpers = Helpers()
        self.asked_at = self.start = self.deadline = self.held_ns = 0
        self.asked_cpu_ns = self.cpu_ns = 0
        self._owed_ns = 0  # for which it held its pipe while it was not asked
        self._holds_ns = 0  # of this match, as far as it counts
        self._asked_wait_ns = 0  # how long it had waited then
        self._reads_waits = False  # is that known?
        self._unheard_ns = self._waited_ns = 0

    def greet(self, patience_ms: int) -> None:
        """Start with the bot, of which all counts from its first moment on."""
        self.start, self.held_ns = self.clock(), 0
        self._asked_wait_ns, self._reads_waits = 0, True
        self.wait(patience_ms)

    def ask(self, now: int, cpu_ns: int) -> None:
        """Take note of what the bot has used, before it is written a question."""
        self.asked_at, self.asked_cpu_ns = now, cpu_ns
        self._reads_waits = False
        self.held_ns = 0

    def asked(self, *, whole: bool) -> None:
        """Start: the question was offered; was all of it written?"""
        done = self.clock()
        if self.held_ns or self._owed_ns:
            self.held_ns = max(0, self.held_ns - WRITE_GRACE_NS)
            done -= self.held_ns
        self.start = done if whole else max(done, self.asked_at + WRITE_GRACE_NS)
        if self._owed_ns:
            self.start, self._owed_ns = self.start - self._owed_ns, 0

    def wrote_rest(self, now: int) -> None:
        """Take note that the rest of the question was written."""
        if now < self.start:
            self.deadline += now - self.start
            self.start = now

    def wait(self, patience_ms: int) -> None:
        """Begin to wait: after so long it is to be looked at."""
        self._unheard_ns, self._waited_ns = self._listening.total_ns(), 0
        self.deadline = self.start + patience_ms * 1_000_000

    def hold(self, ns: int, *, asked: bool) -> None:
        """Take note that a call on the bot's pipe took that long because the bot held its lock.

        Its open decision is charged for it, or else its next one. If that was too long, the bot is
        killed.
        """
        if asked:
            self.held_ns += ns
        else:
            self._owed_ns += ns
        self._holds_ns += max(0, ns - WRITE_GRACE_NS)
        if ns > MOST_HELD_NS or self._holds_ns > MOST_HOLDS_NS:
            detail = f"it held its own pipe for {max(ns, self._holds_ns) / 1e9:.1f} s"
            self._bot.condemn(Verdict(Termination.FLOOD, detail, Cause.HELD))

    def read_waits(self) -> None:
        """Take note that the bot did not answer at once, so that its waits have to be known."""
        meter = self._bot.meter
        last_ns, wait_ns = meter.last_wait_ns or 0, meter.wait_ns() or 0
        # of what it waited since the last look, as much as can be was since it was asked; that may
        # be far more by now than when the listener woke
        self._asked_wait_ns = max(last_ns, wait_ns - (self.clock() - self.asked_at))
        self._reads_waits = True
        meter.begin()

    def has_waited_more(self) -> bool:
        """Return whether the bot has waited for a CPU since this was last asked."""
        before_ns, self._waited_ns = self._waited_ns, self._wait_ns() or 0
        return self._waited_ns > before_ns

    def _wait_ns(self) -> int | None:
        """Return how long the bot has waited for a CPU since it was asked, as far as is known."""
        meter = self._bot.meter
        if meter.last_wait_ns is None:
            return None
        return (meter.wait_ns() or 0) - self._asked_wait_ns if self._reads_waits else 0

    def believed_ns(self, limit_ms: int) -> int | None:
        """Return the most that is believed of its wait in a decision; ``None``: all of it."""
        if self._bot.tree.group is not None or not self.helpers.come:
            return None
        return max(limit_ms * 1_000_000, BELIEVED_NS)

    def read(self, now: int) -> Reading:
        """Return what the open decision, or the start, has taken.

        What the bot held its own pipe for is charged, whether that was a break for others or is not
        known to be one yet.
        """
        wall_ns = now - self.start
        unheard_ns = self._listening.unheard_ns(self._unheard_ns, self.start) - self.held_ns
        if wall_ns - unheard_ns > INSTANT_NS and not self._reads_waits:
            self.read_waits()
        self.cpu_ns = self._bot.meter.cpu_ns(now)
        return Reading(wall_ns, self.cpu_ns - self.asked_cpu_ns, self._wait_ns(), unheard_ns)

    def spent(self, now: int, limit_ms: int) -> Spent:
        """Return what the open decision, or the start, took up to now."""
        return spent(self.read(now), self.believed_ns(limit_ms))

    def spent_at_least(self, now: int, limit_ms: int) -> tuple[Spent, float]:
        """Return the same, and the least that it may turn out to be charged for that.

        The kernel may not have counted yet that it waits for a CPU.
        """
        reading, believed_ns = self.read(now), self.believed_ns(limit_ms)
        sure = spent(reading, believed_ns)
        if reading.wait_ns is not None:
            wait_ns = reading.wait_ns + self._bot.meter.open_wait_ns(now)
            reading = reading._replace(wait_ns=wait_ns)
        return sure, spent(reading, believed_ns).charged_ms
