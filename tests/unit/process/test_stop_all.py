"""Ending children that keep coming, on a machine that gives their killer little time."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from arena.machine.procfs import TICK_NS, children_of
from arena.process import stop_all

MANY = 20
SECONDS = 0.05


class Multiplying:
    """Children of this process, one more at each of so many looks for them."""

    def __init__(self, looks: int) -> None:
        self.left = looks
        self.before = {*children_of(os.getpid())}

    def find(self) -> list[int]:
        """Return those that are there."""
        time.sleep(2 * SECONDS / MANY)  # the CPU is another's
        if self.left:
            self.left -= 1
            os.posix_spawn("/bin/sleep", ["sleep", "3600"], {})
        return [pid for pid in children_of(os.getpid()) if pid not in self.before]


def test_what_multiplies_is_ended_however_slow_that_is() -> None:
    """It takes longer than the end of one may take; something new comes all the time."""
    assert stop_all.end_all(Multiplying(MANY).find, SECONDS) == (MANY, True)


def test_what_comes_for_ever_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is an end to that as well."""
    monkeypatch.setattr(stop_all, "BUSY_TIMES", 1)
    children = Multiplying(10 * MANY)
    assert not stop_all.end_all(children.find, SECONDS)[1]
    assert children.left
    children.left = 0
    assert stop_all.end_all(children.find, 10.0)[1]


def test_who_has_the_id_of_another_is_left_alone() -> None:
    """A process that is younger than what named it is not the one that was meant."""
    known_ns = time.monotonic_ns()
    time.sleep(2 * TICK_NS / 1e9)  # the kernel counts starts in ticks
    with subprocess.Popen(["/bin/sleep", "3600"]) as child:
        stop_all.end_tree(child.pid, known_ns)
        assert child.poll() is None
        stop_all.end_tree(child.pid, time.monotonic_ns())
        assert child.wait(10) == -signal.SIGKILL
