"""Where the machine has too little memory, nobody loses for what the kernel ends."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import ROOT, process
from support.match_jobs import job, seat
from support.needs import working
from support.waiting import removed, until

from arena.isolation.confined import run_build
from arena.process.bot import BotProcess
from arena.sandbox import Task, find_level
from arena.sandbox.cgroups.own_group import own_group
from arena.session.guard import Guard
from arena.session.match_session import play_match
from arena.values.errors import Lack, MatchVoid

MIB = 1 << 20
MACHINE = 400 * MIB
PLAY = """
import dataclasses, os, sys
from support.match_jobs import job, seat
from arena.values.errors import MatchVoid
from arena.values.model import Clock
from arena.session import launch
from arena.session.match_session import play_match
from pathlib import Path
place, level, grouped = sys.argv[1:]
Path(place).write_text("0")
if not int(grouped):
    launch.take_group = lambda *_: None
clock = Clock(move_ms=20_000, start_ms=60_000)
hungry = Path.cwd() / "tests/integration/programs/hungry.py"
victim = seat("memory-and-play=160", program=hungry, clock=clock)
hog = seat("memory-crowd=60", program=hungry, clock=clock)
try:
    record = play_match(job("leaves", victim, hog, sandbox=level)).record
    print(record.by, record.faults)
except MatchVoid as void:
    print(void, file=sys.stderr)
    print("void", void.lack)
"""


@pytest.fixture
def small_machine() -> Iterator[Path]:
    """Make a control group that stands for a machine with little memory; give its door."""
    lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    old = [Path(f"/sys/fs/cgroup/memory{path}") for _, names, path in lines if names == "memory"]
    homes = [(above, "memory.limit_in_bytes") for above in old]
    homes += [(above, "memory.max") for above in (own_group(),) if above is not None]
    for above, limit in homes:
        folder = above / f"arena-test-{os.getpid()}"
        try:
            folder.mkdir()
            (folder / limit).write_text(str(MACHINE))
        except OSError:
            if folder.exists():
                folder.rmdir()
            continue
        yield folder / "cgroup.procs"
        groups = (*folder.glob("arena-bot-*"), folder)
        until(functools.partial(removed, *groups), 30)
        return
    pytest.skip("no control group can be made here that limits memory")


@pytest.mark.slow
@pytest.mark.parametrize("grouped", [True, False], ids=["group", "no-group"])
@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_bot_within_limit_loses_nothing(level: str, grouped: bool, small_machine: Path) -> None:
    """If the machine's memory runs out with both bots below their limits, the match is void."""
    working(level)
    start, path = (sys.executable, "-c", PLAY), f"{ROOT}:{ROOT / 'tests'}"
    done = process(ROOT, small_machine, level, int(grouped), start=start, PYTHONPATH=path)
    assert done.stdout == "void memory\n", done.stderr


def kernel_ends(somebody: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the kernel say that it has ended somebody whenever it is asked of one that has ended."""
    monkeypatch.setattr("arena.session.holdings.kernel_kills", lambda: int(somebody))
    monkeypatch.setattr("arena.session.holdings.recent_kernel_kills", lambda now: 0)
    monkeypatch.setattr("arena.session.launch.take_group", lambda *_: None)


def test_build_that_was_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that ends by SIGKILL is nobody's fault if the kernel ended a process for memory."""
    kernel_ends(True, monkeypatch)
    with pytest.raises(MatchVoid):
        run_build(("/bin/sh", "-c", "kill -9 $$"), tmp_path, 20, "none")


@pytest.mark.parametrize("somebody", [True, False])
@pytest.mark.parametrize("level", ["bwrap", "landlock", "limits"])
def test_killing_itself_is_crash(
    level: str, somebody: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that ends by SIGKILL has crashed, unless the kernel ended a process for memory."""
    working(level)
    kernel_ends(somebody, monkeypatch)
    match = job("leaves", seat("kill"), seat("good"), sandbox=level)
    if somebody:
        with pytest.raises(MatchVoid) as caught:
            play_match(match)
        assert caught.value.lack is Lack.MEMORY
    else:
        assert play_match(match).record.by == "crash"


def test_bot_far_over_memory_at_once_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot ended by the kernel loses if it was over its own limit; else the match is void."""
    kernel_ends(True, monkeypatch)
    words = "import os; held = b'x' * (100 << 20); os.kill(os.getpid(), 9)"
    for limit, code in ((50 * MIB, "memory"), (90 * MIB, "void")):
        task = Task((sys.executable, "-S", "-c", words), str(tmp_path), memory_bytes=limit)
        bot: Any = BotProcess(find_level("none").launch(task))
        try:
            guard = Guard(bot, ponder=True)
            assert bot.has_exited(wait_ms=60_000)
            assert bot.exit_code() == -signal.SIGKILL
            if code == "void":
                with pytest.raises(MatchVoid):
                    guard.holds.why_it_ended()
            else:
                excess = guard.holds.why_it_ended()
                assert excess is not None
                assert excess.code == code
        finally:
            bot.kill()
