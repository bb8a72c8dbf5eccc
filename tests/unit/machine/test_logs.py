"""Log records of workers: whole or not at all, and never waited for."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator

import pytest

from arena.machine import logs
from arena.machine.logs import LogReceiver, LogSender, log_to


class Keep(logging.Handler):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def kept() -> Iterator[Keep]:
    """Return what comes to the handlers of this process."""
    root = logging.getLogger("arena")
    handler = Keep()
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)


Pair = tuple[socket.socket, LogReceiver]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Return a worker's end and the runner's receiver."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield theirs, LogReceiver(ours)


def record(text: str, *args: object) -> logging.LogRecord:
    return logging.LogRecord("arena.there", logging.INFO, __file__, 1, text, args, None)


@pytest.mark.parametrize("after", range(5))
def test_a_killed_worker_leaves_whole_records(after: int, kept: Keep, pair: Pair) -> None:
    """Killed while it logs, a worker leaves records that are whole, in order, and an end."""
    theirs, receiver = pair
    pid = os.fork()
    if pid == 0:
        try:
            receiver._link.close()
            sender = LogSender(theirs)
            for number in range(10**9):
                sender.handle(record("%s %s", number, "x" * 3000))
        finally:
            os._exit(1)
    theirs.close()
    while len(kept.records) <= 20 * after:
        receiver.receive()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while receiver.receive():
        pass
    numbers = []
    for got in kept.records:
        first, rest = got.getMessage().split()
        assert rest == "x" * 3000
        numbers.append(int(first))
    assert numbers == sorted(numbers)
    receiver.close()


def test_a_slow_terminal_does_not_grow_us() -> None:
    """While a handler is stuck no more than a number of records wait for it; others are counted."""
    go_on = threading.Event()

    class Slow(Keep):
        def emit(self, record: logging.LogRecord) -> None:
            go_on.wait()
            super().emit(record)

    handler = Slow()
    with log_to([handler]):
        log = logging.getLogger("arena.here")
        for number in range(3 * logs.BACKLOG):
            log.info("number %s", number)
        go_on.set()
    *shown, last = handler.records
    assert logs.BACKLOG <= len(shown) <= logs.BACKLOG + 5
    assert f"{3 * logs.BACKLOG - len(shown)} log records were dropped" in last.getMessage()


def test_a_long_text_is_cut(kept: Keep, pair: Pair) -> None:
    """A text longer than a packet comes cut, and says so."""
    theirs, receiver = pair
    LogSender(theirs).handle(record("é" * 100_000))
    receiver.receive()
    [got] = kept.records
    assert got.getMessage().endswith("[cut]")
    assert 5_000 < len(got.getMessage()) <= logs.MAX_BYTES


def test_a_worker_reports_what_it_dropped(kept: Keep, pair: Pair) -> None:
    """What the runner had no room for is counted, and reported when the worker closes its log."""
    theirs, receiver = pair
    sender = LogSender(theirs)
    for _ in range(10_000):
        sender.handle(record("x" * 3000))
    receiver.receive()
    sender.close()
    receiver.close()
    *shown, last = kept.records
    assert last.levelno == logging.WARNING
    dropped = 10_000 - len(shown)
    assert last.getMessage() == f"{dropped} log records of worker {os.getpid()} were dropped"
