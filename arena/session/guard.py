"""Watches one bot in a match: its time, CPU time while it is not asked, and memory.

What a bot does while it is not asked is judged when it is asked next, as with its output.
"""

from __future__ import annotations

import time

from arena.match.charging import PONDER_NS, Sample, Spent, decided_at_once, pondered, spent
from arena.match.verdicts import Verdict
from arena.process.bot import CHECK_NS, BotProcess
from arena.process.machine_memory import kernel_kills, recent_kernel_kills
from arena.process.memory import FILE_BYTES, MAX_FILES, MAX_PROCESSES, own_files, usage
from arena.sandbox.diagnosis import explain
from arena.session.helpers import Helpers
from arena.values.errors import Lack, MatchVoid
from arena.values.model import Cause, Decision, Termination

__all__ = ["Guard"]

WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the question
CHECK_SHARE = 20  # and at most one part of the time in so many is spent on looks
INSTANT_NS = 1_000_000
DYING_NS = 1_000_000_000  # that a killed process may take to be gone, with all its memory
LAST_WORD_MS = 200  # for bubblewrap to say how a bot ended
WELL_OVER = 1.5  # times its memory: that a process has held, with what it read of files
MOST_HELD_NS = 2_000_000_000  # that a call on its pipe may take because the bot holds its lock
MOST_HOLDS_NS = 3_000_000_000  # and all calls of a match, each without the first 100 ms
BELIEVED_NS = 1_000_000_000  # the least that is believed of a decision's wait for a CPU
NEAR = 0.9  # a bot that ends with so much of its memory in use ends because of it


class Guard:
    """Watches one bot during one match.

    Attributes:
        bot: its process.
        excess: what it was killed for, judged when it is asked next.
        held_bytes: its memory at the last look.
        frozen: is it stopped?
        ponder: may it think while others decide?
        pondered: did it, although it may not? Then it is stopped while it is not asked.
        asked_at: when it was asked last.
        start: when the clock of that decision, or its time to start, began.
        held_ns: for how long since then the bot held its own pipe.
        lost_ns: what ``UnheardTime`` had counted then.
        waited: what it had waited for a CPU at the last look, in ns.
        helpers: the processes that it was found with while it was asked and waited for a CPU.
    """

    def __init__(self, bot: BotProcess, memory_bytes: int | None, *, ponder: bool) -> None:
        """Begin to watch.

        Args:
            bot: its process.
            memory_bytes: what it may hold; ``None``: it is not looked at.
            ponder: may it think while others decide?
        """
        self.bot = bot
        self.excess: Verdict | None = None
        self.held_bytes = 0
        self.pondered = False
        self._memory_bytes = memory_bytes
        self.ponder = ponder
        self.frozen = False
        self.asked_at = 0
        self.start = 0
        self.held_ns = 0
        self.lost_ns = 0
        self.waited = 0
        self.helpers = Helpers()
        self._owed_ns = 0  # for which it held its pipe while it was not asked
        self._holds_ns = 0  # of this match, as far as it counts
        self._cpu_ns = 0  # what it had used when it was asked
        self._before: Sample | None = None  # the same with its waits, once they have to be known
        self._answer_cpu_ns = 0  # what it had used when its last answer came
        self._idle_since = 0  # when its last answer came; 0 while it is asked, and before
        self._idle_helpers = Helpers(), 0  # of the time since then, which began then
        # what the kernel had ended, at least DYING_NS ago and later; and when that was later
        self._kills = (recent_kernel_kills(now := time.monotonic_ns()),) * 2
        self._kills_at = now
        self._starved: bool | None = None  # has it ended as memory ran out? Known once it has

    # time

    def greet(self, start: int) -> None:
        """Have all count that the bot uses from its first moment on, to be judged as a decision.

        Its time to start began at ``start``.
        """
        self.start, self.held_ns = start, 0
        self._before = Sample(0, None if self.bot.meter.last_wait_ns is None else 0)

    def ask(self, block: bytes) -> bool:
        """Write a question to the bot, and start its clock; return whether all was written.

        What it used since its last answer is seen first. One that is stopped goes on once its
        question is written: so it need not run twice.
        """
        self.asked_at = now = time.monotonic_ns()
        self._cpu_ns = cpu_ns = self.bot.meter.cpu_ns(now)
        self._before = None
        if self._idle_since:
            if cpu_ns - self._answer_cpu_ns > PONDER_NS:
                self._judge_idle(cpu_ns, now)
            self._idle_since = 0
        self.held_ns = 0
        whole = self.bot.write(block)
        if self.frozen:
            self.wake()
        done = time.monotonic_ns()
        if self.held_ns or self._owed_ns:
            self.held_ns = max(0, self.held_ns - WRITE_GRACE_NS)
            done -= self.held_ns
        self.start = done if whole else max(done, now + WRITE_GRACE_NS)
        if self._owed_ns:
            self.start, self._owed_ns = self.start - self._owed_ns, 0
        return whole

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
        if self.excess is None and (ns > MOST_HELD_NS or self._holds_ns > MOST_HOLDS_NS):
            seconds = max(ns, self._holds_ns) / 1e9
            detail = f"it held its own pipe for {seconds:.1f} s"
            self.excess = Verdict(Termination.FLOOD, detail, Cause.HELD)
            self.bot.tree.kill()

    def believed_ns(self, limit_ms: int) -> int | None:
        """Return the most that is believed of its wait in a decision; ``None``: all of it.

        Where no control group counts what it uses, a bot that starts one process after the other
        may have made itself wait.
        """
        if self.bot.tree.group is not None or not self.helpers.come:
            return None
        return max(limit_ms * 1_000_000, BELIEVED_NS)

    def thinks(self) -> None:
        """Take note that the bot did not answer at once, so that its waits have to be known."""
        meter = self.bot.meter
        last_ns, wait_ns = meter.last_wait_ns, meter.wait_ns()
        if wait_ns is not None and last_ns is not None:
            # of what it waited since the last look, as much as can be was since it was asked; that
            # may be far more by now than when the listener woke
            wait_ns = max(last_ns, wait_ns - (time.monotonic_ns() - self.asked_at))
        self._before = Sample(self._cpu_ns, wait_ns)
        meter.begin()

    def waited_ns(self) -> int:
        """Return how long the bot has waited for a CPU since it was asked; 0 if unknown."""
        if self._before is None or self._before.wait_ns is None:
            return 0
        return (self.bot.meter.wait_ns() or 0) - self._before.wait_ns

    def spent(self, wall_ns: int, now: int, limit_ms: int) -> Spent:
        """Return what the open decision took up to now.

        Whether an instant answer had to wait for a CPU in that instant is not looked at.

        Args:
            wall_ns: of wall time, without what the arena did not hear.
            now: the time.
            limit_ms: of the decision.
        """
        meter = self.bot.meter
        if wall_ns <= INSTANT_NS:
            self._answer_cpu_ns = cpu_ns = meter.cpu_ns(now)
            return Spent(*decided_at_once(wall_ns, cpu_ns - self._cpu_ns)[:3])
        if self._before is None:
            self.thinks()
            assert self._before is not None
        after = meter.read(now)
        self._answer_cpu_ns = after.cpu_ns
        return spent(wall_ns, self._before, after, self.believed_ns(limit_ms))

    def unsettled_ms(self, now: int, limit_ms: int) -> float:
        """Return how much less the bot may turn out to be charged than it seems now.

        That is a wait which the kernel has not counted yet, as far as it would be believed.
        """
        ns, most = self.bot.meter.unsettled_ns(now), self.believed_ns(limit_ms)
        return (ns if most is None else min(ns, max(0, most - self.waited_ns()))) / 1e6

    def answered_at_once(self, wall_ns: int, now: int) -> Decision:
        """Take note of an instant answer, and return the decision that it makes; for speed.

        The caller says ``answered`` of one that ``pondered``, which is then stopped, and has
        ``take_back`` called where the answer does not count.
        """
        self._answer_cpu_ns = cpu_ns = self.bot.meter.cpu_ns(now)
        if not self.ponder:
            self._idle_since = now
        return decided_at_once(wall_ns, cpu_ns - self._cpu_ns)

    def take_back(self) -> None:
        """Take note that the bot is still asked: what it has written was no answer."""
        self._idle_since = 0

    def answered(self, now: int) -> None:
        """Take note of an answer: what it uses from now on is for nothing that was asked.

        Who is asked no more without having answered may well be at it still.
        """
        if not self.ponder:
            self._idle_since = now
            if self.pondered:
                self.stop()

    def stop(self) -> None:
        """Stop a bot that is not asked, until it is or has to leave.

        It is killed if its processes start others as fast as they are stopped: nobody else can do
        that, and all of it is work that is not asked for.
        """
        if not self.frozen:
            self.frozen = True
            if not self.bot.tree.freeze() and self.excess is None:
                detail = "its processes multiply as fast as they are stopped"
                self.excess = Verdict(Termination.FLOOD, detail, Cause.PROCESSES)
                self.bot.tree.kill()

    def wake(self) -> None:
        """Have a stopped bot go on: to be asked, or to leave."""
        if self.frozen:
            self.bot.tree.thaw()
            self.frozen = False

    def rest(self, now: int) -> None:
        """Take note that the bot is in no match: what it uses is for nothing that was asked."""
        self._answer_cpu_ns = self.bot.meter.cpu_ns(now)
        if not self.ponder:
            self._idle_since = now

    def release(self) -> None:
        """Have the bot go on, to be seated or to leave; what it does unasked matters no more."""
        self._idle_since = 0
        self.wake()

    # looks

    def look(self, now: int) -> Verdict | None:
        """Look at what the bot holds and does unasked, if it is time to.

        Returns:
            What it is to be killed for, once.
        """
        if now < self.bot.next_check_ns or self.excess is not None:
            return None
        begin = time.thread_time_ns()  # a bot that takes our core must not put off the next look
        self.check_idle(now)
        if self._memory_bytes is not None and self.excess is None:
            self.excess = self._too_much(self._memory_bytes)
        cost = time.thread_time_ns() - begin
        self.bot.next_check_ns = time.monotonic_ns() + max(CHECK_NS, CHECK_SHARE * cost)
        return self.excess

    def check_idle(self, now: int) -> None:
        """Stop the bot if it thinks although it is not asked."""
        if self._idle_since and not self.frozen:
            self._judge_idle(self.bot.meter.cpu_ns(now), now)
            if self.bot.tree.group is None:
                if self._idle_helpers[1] != self._idle_since:
                    self._idle_helpers = Helpers(), self._idle_since
                helpers, _ = self._idle_helpers
                helpers.look(self.bot.tree.members())
                self.pondered = self.pondered or helpers.come
            if self.pondered:
                self.stop()

    def why_it_ended(self, *, guessed: bool = True) -> Verdict | None:
        """Return which limit a bot that has ended had exceeded, if that is why.

        Args:
            guessed: does it count that a bot ended with nearly all of its memory in use?
        """
        limit = self._memory_bytes
        if limit is None or self.excess is not None:
            return self.excess
        if self.ended_by_group() or self._ended_at_once(limit):
            return _too_much_memory(limit)
        self.check_memory()
        if not guessed:
            return None
        if self.held_bytes >= NEAR * limit:
            return Verdict(
                Termination.MEMORY, f"it ended with nearly all of its {_mib(limit)} of memory used"
            )
        return None

    def ended_by_group(self) -> bool:
        """Return whether the kernel has ended a process for what the bot's control group held."""
        group = self.bot.tree.group
        return group is not None and group.limits_memory and all(group.kernel_kills())

    def check_memory(self) -> None:
        """Raise ``MatchVoid`` if the kernel ended a process of a bot that was within its memory."""
        if self._memory_bytes is not None and self._ended_by_machine():
            raise MatchVoid(
                "the kernel ended a bot that was within its memory, as this machine had none left",
                Lack.MEMORY,
            )

    def _ended_by_machine(self) -> bool:
        """Return whether the kernel has ended a process of it, and not for what its group held.

        Where it counts for the bot alone, that is certain. Elsewhere a bot that has ended counts
        if the kernel has ended anybody of ours shortly before: what is killed takes time to die.
        """
        group = self.bot.tree.group
        if group is not None and group.limits_memory:
            killed, own = group.kernel_kills()
            return killed > 0 and not own
        if self._starved is None and self.bot.has_exited():
            self._starved = kernel_kills() > self._kills[0]
        elif (now := time.monotonic_ns()) - self._kills_at > DYING_NS:
            self._kills, self._kills_at = (self._kills[1], recent_kernel_kills(now)), now
        return bool(self._starved)

    def _ended_at_once(self, limit: int) -> bool:
        """Return whether it took far too much so quickly that the kernel saw it before we did."""
        return self.bot.peak_bytes() > WELL_OVER * limit and self._ended_by_machine()

    def check_isolation(self, *, started: bool) -> None:
        """Raise ``MatchVoid`` if what isolates a bot failed, which is not the bot's doing.

        Args:
            started: has the bot said anything, so that it surely ran?
        """
        bot = self.bot
        if bot.was_cut_off():
            raise MatchVoid(
                f"the process that isolates a bot was killed from outside: {bot.how_it_ended()};"
                " this counts for nobody"
            )
        if not started and bot.has_exited(wait_ms=50) and not bot.tree.ran(LAST_WORD_MS):
            bot.drain()
            problem = explain(bot.capture.text())
            reason = f"a bot could not be isolated: {problem.reason}; {problem.remedy}"
            raise MatchVoid(reason, problem.lack)

    def _judge_idle(self, cpu_ns: int, now: int) -> None:
        if pondered(cpu_ns - self._answer_cpu_ns, now - self._idle_since):
            self.pondered = True

    def _too_much(self, limit: int) -> Verdict | None:
        files = own_files(self.bot.tree)
        if files > MAX_FILES:
            return Verdict(Termination.MEMORY, f"it made more than {MAX_FILES} files in memory")
        group = self.bot.tree.group
        if group is not None and group.limits_memory:  # the kernel does the counting
            held_bytes, processes = 0, len(self.bot.tree.members())
            if self.ended_by_group():
                self.held_bytes = limit
                return _too_much_memory(limit)
        else:
            self._ended_by_machine()  # who knows when it is asked next
            room = limit - files * FILE_BYTES
            held_bytes, processes, hidden = usage(self.bot.tree, room, MAX_PROCESSES)
            if hidden:
                return Verdict(Termination.MEMORY, "one of its processes hides what it holds")
        if held_bytes:  # one that is ending has given back everything, and we want to know why
            held_bytes += files * FILE_BYTES
            self.held_bytes = held_bytes
        if processes > MAX_PROCESSES:
            detail = f"more than {MAX_PROCESSES} processes"
            return Verdict(Termination.FLOOD, detail, Cause.PROCESSES)
        if held_bytes > limit:
            return _too_much_memory(limit)
        return None


def _too_much_memory(limit: int) -> Verdict:
    detail = f"it held more than its {_mib(limit)} of memory, with all its processes"
    return Verdict(Termination.MEMORY, detail)


def _mib(count: int) -> str:
    return f"{count / (1 << 20):.0f} MiB"
