"""Waiting for what other processes do, without taking the CPU that they need for it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arena.machine.procfs import command_line, pids, read, stat

T = TypeVar("T")

PAUSE = 0.005  # seconds between two looks
PATIENCE = 60.0  # seconds after which nothing is waited for any more


def until(look: Callable[[], T | None], seconds: float = PATIENCE) -> T:
    """Look again and again until something true is seen, and return it; fail if it never is."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited for {seconds:.0f} s"
        time.sleep(PAUSE)
    return found


def written(file: Path, lines: int = 1) -> list[str]:
    """Wait until a file has so many lines, and return them."""
    until(lambda: file.exists() and file.read_text().count("\n") >= lines)
    return file.read_text().splitlines()


def stays(look: Callable[[], T], seconds: float) -> T:
    """Look again and again until nothing is seen any more, at most so long; return what is left."""
    with contextlib.suppress(AssertionError):
        until(lambda: not look(), seconds)
    return look()


def marked(mark: bytes) -> dict[int, str]:
    """Return the processes, by id, with ``mark`` in their command line or their environment."""
    found = {}
    for pid in pids():
        with contextlib.suppress(OSError):
            line = words_of(pid)
            if mark in line or mark in read(pid, "environ"):
                found[pid] = line.decode("utf-8", "replace")
    return found


def stopped_for(seconds: float, *pids: int) -> None:
    """Stop processes for so long, as a machine that sleeps stops all, and have them go on."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    until(lambda: all(process_state(pid) in ("T", "") for pid in pids))
    time.sleep(seconds)  # the stop itself, not a wait for somebody
    for pid in reversed(pids):
        os.kill(pid, signal.SIGCONT)


def removed(*groups: Path) -> bool:
    """Remove control groups, which the kernel holds for an instant after their last one's death."""
    for group in groups:
        with contextlib.suppress(OSError):
            group.rmdir()
    return not groups[-1].exists()


def words_of(pid: int) -> bytes:
    """Return the words of a process's command line with spaces between; none if it has ended."""
    try:
        return b" ".join(command_line(pid))
    except OSError:
        return b""


def process_state(pid: int) -> str:
    """Return the letter that the kernel gives to a process's state, ``""`` if it is gone."""
    try:
        return stat(pid)[0].decode()
    except OSError:
        return ""


def is_gone(pid: int) -> bool:
    """Return whether a process has ended, waited for or not."""
    return process_state(pid) in ("", "Z", "X")
