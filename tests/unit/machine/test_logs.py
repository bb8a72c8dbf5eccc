"""Log records of workers: whole or not at all, never waited for, harmless whoever sends them."""

from __future__ import annotations

import logging
import math
import os
import pickle
import signal
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

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

    def lines(self) -> list[str]:
        return [
            f"{record.levelname} {record.name} {record.getMessage()}" for record in self.records
        ]


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


def record(text: str, *args: object, level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("arena.there", level, __file__, 1, text, args, None)


def test_a_record_comes_as_it_was(kept: Keep, pair: Pair) -> None:
    """Level, logger, time and text, with the traceback in it, are the same at the other end."""
    theirs, receiver = pair
    sender = LogSender(theirs)
    sent = record("%s of %s\nand more \udcff", 1, {"two": 2}, level=logging.ERROR)
    try:
        raise ValueError("why")
    except ValueError as error:
        sent.exc_info = (ValueError, error, error.__traceback__)
    sent.created = 1_700_000_000.25
    sender.handle(sent)
    assert receiver.receive()
    [got] = kept.records
    assert (got.levelname, got.name, got.created) == ("ERROR", "arena.there", 1_700_000_000.25)
    text = got.getMessage()
    assert text.startswith("1 of {'two': 2}\nand more \\udcff\nTraceback")
    assert text.endswith("ValueError: why")
    sender.close()
    assert not receiver.receive()
    receiver.close(7)


def test_a_long_text_is_cut(kept: Keep, pair: Pair) -> None:
    """A text longer than a packet comes cut, and says so."""
    theirs, receiver = pair
    LogSender(theirs).handle(record("é" * 100_000))
    receiver.receive()
    [got] = kept.records
    assert got.getMessage().endswith("[cut]")
    assert 5_000 < len(got.getMessage()) <= logs.MAX_BYTES


def test_what_does_not_fit_is_counted(kept: Keep, pair: Pair) -> None:
    """Where nobody reads, a worker goes on without waiting; how many are missing is reported."""
    theirs, receiver = pair
    sender = LogSender(theirs)
    for number in range(5000):
        sender.handle(record("number %s", number))
    assert sender.dropped > 0
    receiver.receive()
    came = len(kept.records)
    assert came + sender.dropped == 5000
    assert kept.records[-1].getMessage() == f"number {came - 1}"
    sender.close()  # there is room again: its last word is the count
    receiver.close(42)
    assert f"{sender.dropped} log records of worker 42 were dropped" in kept.lines()[-1]


def frame(path: Path) -> bytes:
    """Return what a ``logging.handlers.SocketHandler`` sends, with a command to run in it."""

    class Command:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.system, (f"touch {path}",)

    body = pickle.dumps({"name": Command(), "levelno": 20})
    return struct.pack(">L", len(body)) + body


def test_nothing_that_comes_is_run(tmp_path: Path, kept: Keep, pair: Pair) -> None:
    """A pickled command is a record like any other, or none; it is not run."""
    theirs, receiver = pair
    theirs.send(frame(tmp_path / "run"))
    theirs.send(frame(tmp_path / "run")[4:])
    receiver.receive()
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "packet",
    [
        b"x",
        struct.pack("<BdI", 20, math.nan, 0) + b"arena\0text",
        struct.pack("<BdI", 20, math.inf, 0) + b"arena\0text",
        struct.pack("<BdI", 20, 1e300, 0) + b"arena\0text",
        struct.pack("<BdI", 20, -1.0, 0) + b"arena\0text",
        struct.pack("<BdI", 20, 0.0, 0) + b"arena\0" + b"x" * 100_000,
    ],
    ids=["short", "nan", "inf", "far", "before", "long"],
)
def test_what_is_no_record_is_counted(packet: bytes, kept: Keep, pair: Pair) -> None:
    """Packets of another shape are dropped and counted, and the next record comes."""
    theirs, receiver = pair
    theirs.send(packet)
    sender = LogSender(theirs)
    sender.handle(record("next"))
    receiver.receive()
    assert kept.lines() == ["INFO arena.there next"]
    sender.close()
    receiver.close(42)
    assert "1 log records of worker 42 were dropped" in kept.lines()[-1]


def test_names_make_no_loggers(kept: Keep, pair: Pair) -> None:
    """Whatever names a worker gives, none is remembered forever."""
    theirs, receiver = pair
    before = len(logging.Logger.manager.loggerDict)
    for number in range(100):
        theirs.send(struct.pack("<BdI", 20, 0.0, 0) + f"arena.{number}\0text".encode())
    receiver.receive()
    assert len(kept.records) == 100
    assert len(logging.Logger.manager.loggerDict) == before


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
    receiver.close(pid)


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


def test_the_end_of_the_log_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that shows records ends by the last one, not as it looks now and then."""
    asked = threading.Semaphore(0)

    class Patient(SimpleQueue[bytes]):
        """A queue of processes, as far as this is one, that waits for as long as it takes."""

        def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
            super().put(pickle.dumps(item))

        def put_nowait(self, item: Any) -> None:
            self.put(item)

        def get(self, block: bool = True, timeout: float | None = None) -> Any:
            asked.release()
            return pickle.loads(super().get())

        def close(self) -> None: ...
        def join_thread(self) -> None: ...

    monkeypatch.setattr("multiprocessing.Queue", lambda _: Patient())
    handler = Keep()
    with log_to([handler]):
        (thread,) = (one for one in threading.enumerate() if one.name == "arena-0")
        logging.getLogger("arena.here").info("the last")
        asked.acquire()
        asked.acquire()  # the thread waits for one more
    assert handler.lines() == ["INFO arena.here the last"]
    assert not thread.is_alive()


def test_it_leaves_logging_as_it_was() -> None:
    """After the block level, propagation and handlers are as before it."""
    root = logging.getLogger("arena")
    before = (root.level, root.propagate, list(root.handlers))
    handler = Keep()
    with log_to([handler], logging.DEBUG):
        logging.getLogger("arena.here").debug("seen")
    logging.getLogger("arena.here").debug("not seen")
    assert handler.lines() == ["DEBUG arena.here seen"]
    assert (root.level, root.propagate, list(root.handlers)) == before
