"""What a silent process that plays is in, by its heartbeat, and what is to be done about it.

A bot can hold the lock of its own pipe: every call on that pipe then waits in the kernel, where not
even SIGKILL ends it. Only the end of the bot's processes frees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from arena.machine.heartbeat import ENGINE, Heartbeat, pid_of

LOOK_SECONDS = 0.5  # between looks
STOPPED, WAITING = (b"T", b"t"), b"D"  # states of a process; a lock is waited for in the latter
LEAST_LOOKS = 5  # that found a call on a bot's pipe to wait: four say 2.0 s, which is no flood
HELD_SECONDS = 2.0  # in a call on a bot's pipe, after which that bot's processes are killed
FREED_SECONDS = 5.0  # more, after which the process that is in the call is killed
ENGINE_SECONDS = 30.0  # that one call of a game's engine may take
LOST_SECONDS = 30.0  # without a sign of life in anything else; there are ten a second


class Hang(Enum):
    """What a look has found.

    ``HELD``: a bot holds its pipe, and its processes are to be killed; ``STUCK``: that was of no
    use; ``ENGINE``: the game's engine takes too long; ``LOST``: the process hangs in neither.
    """

    FINE = auto()
    HELD = auto()
    STUCK = auto()
    ENGINE = auto()
    LOST = auto()


@dataclass(slots=True)
class Silence:
    """For how long a process has shown no sign of life while somebody was looking.

    While nobody looks, because the store is locked or this process was stopped, nothing is learnt.
    So each look counts at most twice the usual time between looks.

    Attributes:
        seconds: how long.
        doing: what it was doing at the last look.
    """

    seconds: float = 0.0
    doing: int = 0
    _waits: int = 0  # looks that found it to wait in one call on a bot's pipe
    _looked: float = -1.0
    _sign: tuple[float, ...] = ()

    def look(self, now: float, heartbeat: Heartbeat, state: bytes) -> Hang:
        """Look at a heartbeat, at a time of the monotonic clock in seconds.

        Args:
            now: the time.
            heartbeat: of the process.
            state: of its main thread, as the kernel calls it; if it is stopped, it can give no
                sign, and only if it waits for a lock, a bot can hold it.
        """
        self.doing = doing = heartbeat.doing
        since_ns = heartbeat.since_ns
        sign = heartbeat.alive, doing, since_ns, heartbeat.decisions, heartbeat.taken
        if sign != self._sign:
            self.seconds, self._waits = 0.0, 0
        elif state not in STOPPED:
            self.seconds += min(now - self._looked, 2 * LOOK_SECONDS)
        self._looked, self._sign = now, sign
        if pid_of(doing) > 0:
            self._waits += state == WAITING
            heartbeat.seen_ns, heartbeat.looks = since_ns, self._waits
            held = now - since_ns / 1e9
            if held < HELD_SECONDS or self._waits < LEAST_LOOKS:
                return Hang.FINE
            freed = held < HELD_SECONDS + FREED_SECONDS or self.seconds < FREED_SECONDS
            return Hang.HELD if freed else Hang.STUCK
        if doing == ENGINE and self.seconds > ENGINE_SECONDS:
            return Hang.ENGINE
        return Hang.LOST if doing != ENGINE and self.seconds > LOST_SECONDS else Hang.FINE

    def end(self) -> None:
        """Begin again: the process has spoken, or has nothing to do."""
        self.seconds, self._sign = 0.0, ()


def engine_hangs(game: str, heartbeat: Heartbeat) -> str:
    """Say that the engine of a game took too long in the match that a process played."""
    setup = heartbeat.setup.decode(errors="replace")
    deal = f"setup {setup}" if setup else "a deal that is not shown"
    return (
        f"the game needed more than {ENGINE_SECONDS:.0f} s for one position: {game}, {deal}, "
        f"after decision {heartbeat.decisions}"
    )
