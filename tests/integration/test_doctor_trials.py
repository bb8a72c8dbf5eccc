"""The doctor's trials tell a level that holds from one that does not, with real processes."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest
from support.needs import working

from arena.doctor import killing as killing_module
from arena.doctor.attacks import attack_level
from arena.doctor.killing import kill_at, running_with
from arena.sandbox import LEVELS, Launch, Level, Task, find_level

# what nothing keeps from a program that is not isolated, whatever the kernel's settings
OPEN = {"read_file", "leave_file", "see_process", "connect_tcp", "connect_local"}


def escaping(task: Task) -> Launch:
    """Start a task twice: once as it should be, once where a kill does not reach it."""
    words = ("/bin/sh", "-c", 'setsid "$@" & exec "$@"', "sh", *task.argv)
    return Launch(words, {"PATH": os.defpath}, task.folder)


@pytest.mark.parametrize("name", LEVELS)
def test_attacks_stop_where_the_level_says(name: str) -> None:
    """At the level without isolation attacks come through; in bubblewrap none does."""
    working(name)
    through = attack_level(find_level(name))
    assert through is not None
    assert len(through) == 12
    won = {attack for attack, came_through in through.items() if came_through}
    if find_level(name).isolates:
        assert won == set()
    if name == "none":
        assert won >= OPEN


def test_attacks_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the attacks no file of theirs is left, nor a process."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(os.listdir("/proc/self/task"))
    assert attack_level(find_level("none")) is not None
    assert list(tmp_path.iterdir()) == []
    assert set(os.listdir("/proc/self/task")) == before


@pytest.mark.parametrize("name", LEVELS)
def test_kills_leave_nothing(name: str) -> None:
    """At every level that works here, bots killed while they start leave no process."""
    working(name)
    assert kill_at(find_level(name), kills=10) == 0


def test_survivors_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level whose programs outlive their kill is found out, each survivor of it."""
    seen: list[int] = []

    def spy(token: str) -> tuple[int, ...]:
        seen[:] = running_with(token)
        return tuple(seen)

    monkeypatch.setattr(killing_module, "running_with", spy)
    monkeypatch.setattr(killing_module, "kill_strays", lambda spare: 0)
    monkeypatch.setattr(killing_module, "GONE_SECONDS", 0.2)
    monkeypatch.setattr(killing_module, "WINDOW_MS", 600.0)
    leaky = Level("leaky", "none at all", escaping, isolates=False)
    try:
        assert 1 <= kill_at(leaky, kills=3) <= 3
    finally:
        for pid in seen:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
