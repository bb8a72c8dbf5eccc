"""What others cost that do as little as can be: a line through a pipe, a bare start, a commit."""

from __future__ import annotations

import os
import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import on_one_core

__all__ = ["ANSWER_MS", "Trip", "commit_us", "exit_ms", "python", "round_trip", "spawn_ms"]

ANSWER_MS = 10_000
RECORD = "x" * 2000  # about what a match was when it was first measured
TRIPS = 1000  # of a burst


class Trip(NamedTuple):
    """The µs of a line there and back: in the mean, to hold wall time against, and undisturbed."""

    mean: float
    quickest: float


def round_trip(program: Path, bursts: int) -> Trip:
    """Return what a question to an instant bot and its answer take, by write, poll and read.

    Both sides are on one core. So many bursts of a thousand meet as much other work, in the mean,
    as whatever they are compared with; the quickest one meets little of it.
    """
    times = []
    with on_one_core():
        process = subprocess.Popen([program], stdin=-1, stdout=-1, bufsize=0)
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin.fileno(), process.stdout.fileno()
        poll = select.poll()
        poll.register(back, select.POLLIN)
        os.write(to, b"hello abp 1\nlegal a b\n")
        poll.poll(ANSWER_MS)
        os.read(back, 4096)
        for _ in range(bursts):
            begin = time.perf_counter()
            for _ in range(TRIPS):
                os.write(to, b"go 1 limit=1000\n")
                poll.poll(ANSWER_MS)
                os.read(back, 4096)
            times.append((time.perf_counter() - begin) / TRIPS * 1e6)
        process.stdin.close()
        process.stdout.close()
        process.wait()
    return Trip(sum(times) / len(times), min(times))


def spawn_ms(argv: list[str]) -> float:
    """Return the ms from ``os.posix_spawn`` of a bot to its answer to ``hello`` and its end."""
    (their_in, to), (back, their_out) = os.pipe(), os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, their_in, 0), (os.POSIX_SPAWN_DUP2, their_out, 1)]
    begin = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
    os.close(their_in)
    os.close(their_out)
    os.write(to, b"hello abp 1\n")
    answer = os.read(back, 4096)
    os.close(to)
    os.waitpid(pid, 0)
    elapsed = (time.perf_counter() - begin) * 1e3
    os.close(back)
    if not answer:
        raise TimeoutError("a bot that should answer at once does not")
    return elapsed


def exit_ms(command: Sequence[str], env: dict[str, str] | None = None) -> float:
    """Return the ms from the start of a command to its end."""
    begin = time.perf_counter()
    subprocess.run(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return (time.perf_counter() - begin) * 1e3


def python(*words: str) -> list[str]:
    """Return how to start our own interpreter."""
    return [sys.executable, *words]


def commit_us(file: Path, count: int) -> float:
    """Return the µs of a transaction of one row of 2 kB, with a write-ahead log."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE IF NOT EXISTS plain (id INTEGER PRIMARY KEY, text TEXT)")
    begin = time.perf_counter()
    for _ in range(count):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO plain (text) VALUES (?)", (RECORD,))
        connection.execute("COMMIT")
    elapsed = time.perf_counter() - begin
    connection.close()
    return elapsed / count * 1e6
