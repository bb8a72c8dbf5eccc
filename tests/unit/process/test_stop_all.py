"""Ending children that keep coming, on a machine that gives their killer little time."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from arena.machine.procfs import TICK_NS, children_of, is_dead
from arena.process import stop_all

MANY = 20
SECONDS = 0.2


class Multiplying:
    """Children of this process, one more at each of so many looks for them."""

    def __init__(self, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = looks
        self.before = {*children_of(os.getpid())}
        self.patch = monkeypatch.setattr
        self.patch(stop_all, "children", self.find)

    def find(self, parent: int) -> list[int]:
        """Return those that are there."""
        time.sleep(2 * SECONDS / MANY)  # the CPU is another's
        if self.left:
            self.left -= 1
            os.posix_spawn("/bin/sleep", ["sleep", "3600"], {})
        return children_of(parent)

    def end(self, seconds: float) -> int:
        """End them; return how many were killed."""
        self.patch(stop_all, "SWEEP_SECONDS", seconds)
        return stop_all.end_all(os.getpid(), self.before, reap)


def reap(pid: int) -> int:
    return os.waitpid(pid, os.WNOHANG)[0]


def test_multiplying_processes_are_ended_on_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that keep multiplying are all ended, even if ending one takes too long."""
    multiplying = Multiplying(MANY, monkeypatch)
    assert multiplying.end(SECONDS) == MANY
    assert {*children_of(os.getpid())} <= multiplying.before


def test_endless_processes_are_given_up_and_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that multiply for ever are given up after some time, and known as not ended."""
    monkeypatch.setattr(stop_all, "BUSY_TIMES", 1)
    monkeypatch.setattr(stop_all, "not_ended", set())
    multiplying = Multiplying(10 * MANY, monkeypatch)
    multiplying.end(SECONDS)
    assert multiplying.left
    assert stop_all.not_ended
    multiplying.left = 0
    multiplying.end(10.0)
    assert {*children_of(os.getpid())} <= multiplying.before


def test_end_all_kills_children_of_others_but_those_spared() -> None:
    """A child of another process is killed, one that is spared lives, a dead one is left."""
    start = "sleep 3600 >/dev/null & echo $!"
    sleepers = f"{start}; {start}; sleep 0 & exec sleep 3600 >/dev/null"
    with subprocess.Popen(["sh", "-c", sleepers], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        staying, ending = (int(line) for line in parent.stdout.read().split())
        assert stop_all.end_all(parent.pid, {staying}) >= 1
        assert is_dead(ending)
        assert not is_dead(staying)
        assert stop_all.end_all(parent.pid) == 1
        parent.kill()


def test_younger_process_with_same_id_is_spared() -> None:
    """A process that started after its id was noted is another one, and is not killed."""
    known_ns = time.monotonic_ns()
    time.sleep(2 * TICK_NS / 1e9)  # the kernel counts starts in ticks
    with subprocess.Popen(["/bin/sleep", "3600"]) as child:
        stop_all.end_tree(child.pid, known_ns)
        assert child.poll() is None
        stop_all.end_tree(child.pid, time.monotonic_ns())
        assert child.wait(10) == -signal.SIGKILL
