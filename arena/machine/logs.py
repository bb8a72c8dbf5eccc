"""Log records across processes: workers send theirs to the runner, whose handlers show them.

Each worker has a pair of sockets of its own, inherited and without a name: nobody else can connect.
A record travels as plain values in one packet, so that what a killed worker has begun is never seen
half. A worker never waits to log: what does not fit is dropped, and counted in its last record. The
runner's handlers stand behind ``multiprocessing_logging``'s handler, whose queue and thread keep a
slow terminal off the runner's path.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import pickle
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from arena.machine.shared_memory import sharing

if TYPE_CHECKING:
    from multiprocessing_logging import MultiProcessingHandler

ROOT = "arena"
MAX_BYTES = 16 * 1024  # of one packet; a longer text is cut
BACKLOG = 1000  # records that wait for a slow handler; more are dropped
AT_ONCE = 500  # packets taken in before the runner looks at other things: more than may wait
_HEAD = struct.Struct("<Bd")  # level, time in seconds since 1970
_CUT = b" [cut]"


@contextlib.contextmanager
def log_to(handlers: Sequence[logging.Handler], level: int = logging.INFO) -> Iterator[None]:
    """Let this process and its workers log to the handlers.

    At the end everything logged so far has been handled, and logging is as before.

    Raises:
        NoSharedMemory: the queue for it cannot be made.
    """
    from multiprocessing_logging import MultiProcessingHandler

    root = logging.getLogger(ROOT)
    before = (root.level, root.propagate)
    with sharing():
        queued = [MultiProcessingHandler(f"arena-{i}", one) for i, one in enumerate(handlers)]
    dropped = Counter[MultiProcessingHandler]()
    for handler in queued:  # a list of its own: the handler has that of the one it wraps
        handler.filters = [*handler.filters, functools.partial(_has_room, handler, dropped)]
        root.addHandler(handler)
    root.setLevel(level)
    root.propagate = False
    try:
        yield
    finally:
        for handler in queued:
            root.removeHandler(handler)
            if count := dropped[handler]:
                text = f"{count} log records were dropped: they came faster than they are shown"
                handler.emit(logging.LogRecord(__name__, logging.WARNING, "", 0, text, None, None))
            handler.queue.put(_EndOfLogs())
            handler.close()
        root.level, root.propagate = before


def _has_room(
    handler: MultiProcessingHandler,
    dropped: Counter[MultiProcessingHandler],
    record: logging.LogRecord,
) -> bool:
    """Return whether a handler's queue has room; its terminal may be slow."""
    if handler.queue.qsize() < BACKLOG:
        return True
    dropped[handler] += 1
    return False


class _EndOfLogs:
    """The last item of a queue, which ends the thread that reads it by an end of file.

    Otherwise the thread looks five times a second whether its handler is closed.
    """

    def __reduce__(self) -> tuple[Callable[[bytes], object], tuple[bytes]]:
        return pickle.loads, (b"",)


# in a worker


class LogSender(logging.Handler):
    """Sends records to the runner, and never waits for it.

    Attributes:
        dropped: how many records there was no room for.
    """

    def __init__(self, link: socket.socket) -> None:
        """Send to this end of the pair, which is owned from now on."""
        super().__init__()
        self._link = link
        self.dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record, or count it as dropped if there is no room for it."""
        try:
            text = self.format(record)  # with the traceback, if there is one
        except Exception:
            self.handleError(record)
            return
        head = _HEAD.pack(max(0, min(record.levelno, 255)), record.created)
        packet = head + f"{record.name}\0{text}".encode("utf-8", "backslashreplace")
        if len(packet) > MAX_BYTES:
            packet = packet[: MAX_BYTES - len(_CUT)] + _CUT
        try:
            self._link.send(packet, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        except OSError:  # there is no room, or the runner is gone
            self.dropped += 1

    def close(self) -> None:
        """Report how much was dropped, if anything was, and send nothing more."""
        if self.dropped:
            text = f"{self.dropped} log records of worker {os.getpid()} were dropped"
            self.emit(logging.LogRecord(__name__, logging.WARNING, "", 0, text, None, None))
        self._link.close()
        super().close()


def log_to_runner(link: socket.socket, level: int) -> LogSender:
    """Send this worker's log records to the runner; programs it starts do not get the socket."""
    link.set_inheritable(False)
    sender = LogSender(link)
    root = logging.getLogger(ROOT)
    root.setLevel(level)
    root.propagate = False
    root.handlers[:] = [sender]
    return sender


# in the runner


class LogReceiver:
    """The log records of one worker, handed to this process's own handlers as they come."""

    def __init__(self, link: socket.socket) -> None:
        """Receive at this end of the pair, which is owned from now on."""
        self._link = link

    def fileno(self) -> int:
        """Return the descriptor to wait at."""
        return self._link.fileno()

    def receive(self) -> bool:
        """Handle what has come, as far as that is not too much; return whether more may come."""
        for _ in range(AT_ONCE):
            try:
                packet = self._link.recv(MAX_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not packet:
                return False
            self._handle(packet)
        return True

    def close(self) -> None:
        """Handle the last records of a worker."""
        self.receive()
        self._link.close()

    def _handle(self, packet: bytes) -> None:
        level, created = _HEAD.unpack_from(packet)
        name, _, text = packet[_HEAD.size :].decode("utf-8", "replace").partition("\0")
        record = logging.LogRecord(name, level, "", 0, text, None, None)
        record.created = created
        record.msecs = (created - int(created)) * 1000
        # always the same logger: one is kept forever for each name that is asked for
        logging.getLogger(ROOT).handle(record)
