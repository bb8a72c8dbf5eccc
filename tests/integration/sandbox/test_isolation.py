"""Bots at every isolation level this machine has: they play, and nothing of them is left."""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.bot_programs import program
from support.match_jobs import job, seat
from support.needs import working

from arena.match.referee import Referee
from arena.process.bot import BotProcess
from arena.process.launcher import end_strays, strays
from arena.sandbox import LEVELS, Launch, Task, find_level
from arena.session.match_session import play_match
from arena.values.errors import MatchVoid
from arena.values.model import MatchJob

RAPID = 50  # kills at random moments of a start
TREE = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setpgid(0, 0)
        time.sleep(600)
print("here", flush=True)
time.sleep(600)
"""


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> str:
    """A level, if it works on this machine."""
    name: str = request.param
    return working(name)


def python(folder: Path, text: str) -> Task:
    """Write a program; return it as a task."""
    folder.chmod(0o755)
    (folder / "bot.py").write_text(text)
    return Task(argv=(sys.executable, "-u", "./bot.py"), folder=str(folder))


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Assert that after a sweep, as there is one after a match, the launcher has no child."""
    yield
    end_strays()
    assert not [*strays()]


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_rapid_kills_leave_nothing(level: str, tmp_path: Path) -> None:
    """A bot killed at any moment of its start leaves no process, whatever it had forked."""
    task = python(tmp_path, TREE)
    rng = random.Random(5)
    for _ in range(RAPID):
        process = BotProcess(find_level(level).launch(task))
        # a moment of the start, not a synchronisation
        until = time.monotonic() + rng.uniform(0, 0.012)
        while time.monotonic() < until:
            pass
        process.kill()


@pytest.mark.parametrize("leaves", [False, True])
def test_a_burial_leaves_nobody(tmp_path: Path, *, leaves: bool) -> None:
    """At level bwrap everybody is dead and waited for when a bot has ended, before any sweep."""
    working("bwrap")
    end_strays()
    end = "" if leaves else TREE
    bot = BotProcess(find_level("bwrap").launch(python(tmp_path, f"print('here')\n{end}")))
    assert select.select([bot.stdout], [], [], 20)[0]
    assert bot.has_exited(wait_ms=20_000 if leaves else 0) is leaves
    bot.kill()
    assert not [*strays()]


class KilledFromOutside(BotProcess):
    """A bot whose bubblewrap somebody kills as soon as it has started."""

    number = signal.SIGKILL

    def __init__(self, how: Launch) -> None:
        super().__init__(how)
        os.kill(self.pid, self.number)


def isolated_match(**more: object) -> MatchJob:
    """Return a match of two good bots at level bwrap, if that works here."""
    working("bwrap")
    return job("pebbles(players=2)", seat("good"), seat("hang"), sandbox="bwrap", **more)


@pytest.mark.usefixtures("nothing_left", "small_games")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_start_killed_from_outside_is_void(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bot can kill its bubblewrap: whoever did it before the bot was ready, it is not booked."""
    monkeypatch.setattr("arena.session.match_session.MatchSession.start", KilledFromOutside)
    monkeypatch.setattr(KilledFromOutside, "number", number)
    with pytest.raises(MatchVoid, match=f"killed from outside.*{number.name}"):
        play_match(isolated_match())


@pytest.mark.usefixtures("nothing_left", "small_games")
def test_a_bot_killed_from_outside_is_void() -> None:
    """A bot whose bubblewrap is killed while it is asked has not crashed: the match is void."""

    def kill_both(referee: Referee) -> None:
        for pid in strays():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(MatchVoid, match="killed from outside"):
        play_match(isolated_match(), watch=kill_both)


KILLS_ALL = """\
for whom in (os.getppid(), 1, -1, -os.getpgrp(), 0):
    try:
        os.kill(whom, signal.SIGKILL)
    except OSError:
        pass
"""


@pytest.mark.usefixtures("nothing_left", "small_games")
def test_a_bot_that_kills_all_it_can_has_crashed(tmp_path: Path) -> None:
    """Its bubblewrap is not among what a bot can kill, so it cannot have a match played again."""
    isolated_match()
    python(tmp_path, program(asked=KILLS_ALL))
    killer = seat(program=tmp_path / "bot.py", name="killer")
    record = play_match(job("pebbles(players=2)", killer, seat("good"), sandbox="bwrap")).record
    assert record.by == "crash"
    assert [fault.player for fault in record.faults] == [0]
