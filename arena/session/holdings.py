"""What one bot holds: memory, files in memory and processes, against what it may."""

from __future__ import annotations

import time

from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess
from arena.process.machine_memory import kernel_kills, recent_kernel_kills
from arena.process.memory import FILE_BYTES, MAX_FILES, MAX_PROCESSES, own_files, usage
from arena.values.errors import Lack, MatchVoid
from arena.values.model import Cause, Termination

DYING_NS = 1_000_000_000  # that a killed process may take to be gone, with all its memory
WELL_OVER = 1.5  # times its memory: that a process has held, with what it read of files
NEAR = 0.9  # a bot that ends with so much of its memory in use ends because of it


class Holdings:
    """Looks at what one bot holds.

    Attributes:
        held_bytes: its memory at the last look.
    """

    def __init__(self, bot: BotProcess) -> None:
        """Begin with a bot, which knows how much memory it may hold."""
        self._bot = bot
        self.held_bytes = 0
        self._kills_at = now = time.monotonic_ns()
        # what the kernel had ended up to DYING_NS before that, and up to then
        self._kills_before = self._kills_then = recent_kernel_kills(now)
        self._starved: bool | None = None  # has it ended as memory ran out? Known once it has

    def look(self) -> Verdict | None:
        """Return the verdict on a bot that holds more than it may."""
        limit = self._bot.memory_bytes
        if limit is None:
            return None
        files = own_files(self._bot.tree)
        if files > MAX_FILES:
            return Verdict(Termination.MEMORY, f"it made more than {MAX_FILES} files in memory")
        group = self._bot.tree.group
        if group is not None and group.limits_memory:  # the kernel does the counting
            held_bytes, processes = 0, len(self._bot.tree.members())
            if self.ended_by_group():
                self.held_bytes = limit
                return _too_much_memory(limit)
        else:
            self._ended_by_machine()  # who knows when it is asked next
            room = limit - files * FILE_BYTES
            held_bytes, processes, hidden = usage(self._bot.tree, room, MAX_PROCESSES)
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

    def why_it_ended(self, *, guessed: bool = True) -> Verdict | None:
        """Return which limit a bot that has ended had exceeded, if that is why.

        Args:
            guessed: does it count that a bot ended with nearly all of its memory in use?
        """
        limit = self._bot.memory_bytes
        if limit is None or self._bot.excess is not None:
            return self._bot.excess
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
        group = self._bot.tree.group
        return group is not None and group.limits_memory and all(group.kernel_kills())

    def check_memory(self) -> None:
        """Raise ``MatchVoid`` if the kernel ended a process of a bot that was within its memory."""
        if self._bot.memory_bytes is not None and self._ended_by_machine():
            raise MatchVoid(
                "the kernel ended a bot that was within its memory, as this machine had none left",
                Lack.MEMORY,
            )

    def _ended_by_machine(self) -> bool:
        """Return whether the kernel has ended a process of it, and not for what its group held.

        Where it counts for the bot alone, that is certain. Elsewhere a bot that has ended counts
        if the kernel has ended anybody of ours shortly before: what is killed takes time to die.
        """
        group = self._bot.tree.group
        if group is not None and group.limits_memory:
            killed, own = group.kernel_kills()
            return killed > 0 and not own
        if self._starved is None and self._bot.has_exited():
            self._starved = kernel_kills() > self._kills_before
        elif (now := time.monotonic_ns()) - self._kills_at > DYING_NS:
            self._kills_before, self._kills_at = self._kills_then, now
            self._kills_then = recent_kernel_kills(now)
        return bool(self._starved)

    def _ended_at_once(self, limit: int) -> bool:
        """Return whether it took far too much so quickly that the kernel saw it before we did."""
        return self._bot.peak_bytes() > WELL_OVER * limit and self._ended_by_machine()


def _too_much_memory(limit: int) -> Verdict:
    detail = f"it held more than its {_mib(limit)} of memory, with all its processes"
    return Verdict(Termination.MEMORY, detail)


def _mib(count: int) -> str:
    return f"{count / (1 << 20):.0f} MiB"
