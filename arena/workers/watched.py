"""One worker process as the runner sees it: what it was given, what it answered, how it does.

Matches are given in chunks, so that a worker always has some milliseconds of play before it: one
match where they are long, many where they are short. What matches of a tournament have in common is
sent once, as the function that makes jobs of them.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from arena.machine.crash import cross
from arena.machine.heartbeat import Heartbeat
from arena.machine.logs import LogReceiver
from arena.process.machine_memory import kernel_kills
from arena.process.silence import Hang, Silence
from arena.values.errors import Void
from arena.values.tables import MatchRow
from arena.workers.worker import Assignment, Make

IN_FLIGHT = 2  # matches that a worker has at least: one being played, one waiting
AHEAD_SECONDS = 0.08  # of play that wait for it
CHUNK = 64  # matches that wait for it at most
READ_BYTES = 256 * 1024
LENGTH = struct.Struct("!i")  # before each message, as a ``Connection`` has it


@dataclass(slots=True, eq=False)
class Watched:
    """A worker process.

    Attributes:
        orders: the matches that it has, the one it plays first.
        answers: how many matches it has answered.
        unsent: what its pipe had no room for; see ``send``.
        found: why it was killed, and what it was doing, if it was found to hang.
    """

    process: BaseProcess
    connection: Connection
    heartbeat: Heartbeat
    log: LogReceiver
    since_ns: int = field(default_factory=time.monotonic_ns)  # it had been started then
    kernel_kills: int = field(default_factory=kernel_kills)  # of this machine, when it started
    silence: Silence = field(default_factory=Silence)
    orders: deque[Assignment] = field(default_factory=deque)
    answers: int = 0
    unsent: bytearray = field(default_factory=bytearray)
    found: tuple[Hang, int] | None = None
    _make: Make | None = None  # what it was sent
    _pace: float = AHEAD_SECONDS  # seconds a match takes it, in the mean of the last ones
    _since: float = 0.0  # when it last answered, or was given a match while it had none
    _bytes: bytearray = field(default_factory=bytearray)  # of an answer that is not whole yet

    def __post_init__(self) -> None:
        os.set_blocking(self.connection.fileno(), False)

    def goal(self) -> int:
        """Return how many matches it should have now: 0 while it has enough of them."""
        ahead = max(IN_FLIGHT - 1, min(CHUNK, int(AHEAD_SECONDS / self._pace)))
        if len(self.orders) > max(IN_FLIGHT - 1, (1 + ahead) // 2):
            return 0
        return 1 + ahead

    def ahead(self) -> float:
        """Return how many seconds of play wait for it, beside the match that it plays."""
        return max(0, len(self.orders) - 1) * self._pace

    def give(self, orders: Sequence[Assignment], make: Make) -> None:
        """Give it matches; those that its pipe has no room for now are sent when it has."""
        news = None if make is self._make else make
        for order in orders:
            cross("job", match=order.match.number)
        if not self.orders:
            self._since = time.monotonic()
        self.orders.extend(orders)
        self._make = make
        data = pickle.dumps((news, tuple(orders)), pickle.HIGHEST_PROTOCOL)
        self.unsent += LENGTH.pack(len(data)) + data
        self.send()

    def send(self) -> None:
        """Send as much as its pipe has room for: it may be stopped, and is not waited for."""
        with contextlib.suppress(OSError):  # no room, or its death, which is seen at the other end
            while self.unsent:
                del self.unsent[: os.write(self.connection.fileno(), self.unsent)]

    def receive(self) -> list[tuple[Assignment, MatchRow | Void]] | None:
        """Take the answers that have come, each with what it answers; ``None`` if it has died."""
        try:
            data = os.read(self.connection.fileno(), READ_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        self._bytes += data
        found = []
        for answer in _answers(self._bytes):
            cross("result", match=self.orders[0].match.number)
            found.append((self.orders.popleft(), answer))
            self.answers += 1
        if found:
            now = time.monotonic()
            self._pace += ((now - self._since) / len(found) - self._pace) / 4
            if any(isinstance(answer, Void) for _, answer in found):
                self._pace = AHEAD_SECONDS  # what fails, fails at once
            self._since = now
        return found

    def undone(self) -> Assignment | None:
        """Return the match that it had begun when it died, if there is one; it has it no longer."""
        begun = self.heartbeat.taken > self.answers
        return self.orders.popleft() if begun and self.orders else None


def _answers(received: bytearray) -> Iterator[MatchRow | Void]:
    """Yield the answers that are whole in what was received, and take them out of it."""
    while len(received) >= LENGTH.size:
        end = LENGTH.size + LENGTH.unpack_from(received)[0]
        if len(received) < end:
            return
        answer = pickle.loads(received[LENGTH.size : end])
        del received[:end]
        yield answer if isinstance(answer, Void) else MatchRow._make(answer)
