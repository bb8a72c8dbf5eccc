"""Machine shortages: a match that is void for a lack waits until it ends, and others are played."""

from __future__ import annotations

import errno
import gc
import os
import re
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support import finished
from support.arena_command import process, tournament
from support.arena_users import as_user
from support.drawn_runs import DrawnFates, workers_of
from support.match_jobs import job, seat
from support.needs import working

from arena.check import check_bot
from arena.check.steps import Step
from arena.packed.match import pack
from arena.run import runner
from arena.run.runner import run_tournament
from arena.sandbox.diagnosis import explain
from arena.session import match_session
from arena.session.match_session import play_match
from arena.values.errors import Lack, MatchVoid, Void
from arena.values.model import BotEntry, MatchJob, Tournament
from arena.values.tables import MatchRow
from arena.workers.local import Lost
from arena.workers.patience import END_SECONDS, LONGEST_PAUSE

# where a lack is seen


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize(
    ("error", "lack"),
    [
        (OSError(errno.EUSERS, "all users are taken"), Lack.SLOTS),
        (OSError(errno.EAGAIN, "fork"), Lack.PROCESSES),
        (OSError(errno.EMFILE, "pipe"), Lack.DESCRIPTORS),
        (OSError(errno.ENFILE, "pipe"), Lack.DESCRIPTORS),
        (OSError(errno.ENOMEM, "fork"), Lack.MEMORY),
        (MemoryError(), Lack.MEMORY),
    ],
)
def test_start_that_lacks_something_is_void(
    error: Exception, lack: Lack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match or check whose bot cannot be started for want of something is void and names it."""

    def launch(*words: object) -> None:
        raise error

    monkeypatch.setattr(match_session, "launch", launch)
    with pytest.raises(MatchVoid) as void:
        play_match(job("pebbles(players=2)", seat("good"), seat("good", name="other")))
    assert void.value.lack is lack
    assert lack.value in str(void.value)
    seen: list[Step] = []
    with pytest.raises(MatchVoid, match=re.escape(str(void.value))):
        check_bot("random", tmp_path, game="leaves", sandbox="none", watch=seen.append)
    assert [step.name for step in seen] == ["build"]


@pytest.mark.parametrize(
    ("said", "lack"),
    [
        ("bwrap: Can't fork for pid namespace: Cannot allocate memory", Lack.MEMORY),
        ("bwrap: Creating new namespace failed: Resource temporarily unavailable", Lack.PROCESSES),
        ("confine: landlock 24: landlock_create_ruleset: Too many open files", Lack.DESCRIPTORS),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", None),
        ("", None),
    ],
)
def test_complaint_of_isolation_is_known_as_lack(said: str, lack: Lack | None) -> None:
    """What ``bwrap`` or ``confine`` prints is known as the lack it names, or as none."""
    assert explain(said).lack is lack


# as another user: one may have no more processes, and then one may again
NO_PROCESSES = """
import resource, sys
sys.path[:0] = ["tests"]
from support.match_jobs import job, seat
from arena.values.errors import MatchVoid
from arena.session.match_session import play_match
match = job("leaves", seat("good"), seat("good", name="other"))
_, most = resource.getrlimit(resource.RLIMIT_NPROC)
resource.setrlimit(resource.RLIMIT_NPROC, (0, most))
try:
    play_match(match)
except MatchVoid as void:
    print(void.lack.name)
resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
print(play_match(match).record.by)
"""


def test_user_without_processes_voids_match() -> None:
    """Where the user may start no more processes, the match is void and no bot at fault."""
    done = as_user("user", "-c", NO_PROCESSES)
    assert done.stdout.split() == ["PROCESSES", "rules"], done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
# with the fewest descriptors of their own, and with the most
@pytest.mark.parametrize("level", ["none", "bwrap"])
def test_few_descriptors_are_no_fault_of_a_bot(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few open files left a match is void or played well, and no file stays open."""
    working(level)
    match = job("pebbles(players=2)", seat("good"), seat("good", name="other"), sandbox=level)
    play_match(match)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    gc.collect()  # what earlier tests forgot to close
    before = os.listdir("/proc/self/fd")
    free = [number for number in range(300) if str(number) not in before]
    lacks: list[Lack | None] = []
    for number in free[2:44:3]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, most[1]))
        try:
            assert play_match(match).record.faults == ()
        except MatchVoid as void:
            lacks.append(void.lack)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, most)
        assert set(os.listdir("/proc/self/fd")) <= set(before)
    assert len(lacks) > 2
    assert set(lacks) == {Lack.DESCRIPTORS}
    assert play_match(match).record.faults == ()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "play"])
def test_command_with_few_descriptors_ends_in_sentence(command: str, tmp_path: Path) -> None:
    """A command that may open few files ends with exit code 3 and a sentence, or works."""
    file = tournament(tmp_path, "[random, random-sh]", rounds=1, seed=3, workers=1)
    words = ("run", file) if command == "run" else ("play", "leaves", "random", "random-sh")
    code = "import resource, sys; most = int(sys.argv.pop(1)); "
    code += "resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)); "
    code += "from arena.cli.main import main; main()"
    codes = []
    for most in (9, 10, 11, 13, 15, 18):
        start = (sys.executable, "-c", code, most)
        done = process(tmp_path / str(most), *words, start=start, ARENA_PATIENCE="0")
        assert "Traceback" not in done.stderr, f"{most}: {done.stderr}"
        assert done.returncode in (0, 3), f"{most}: exit {done.returncode}, {done.stderr}"
        codes.append(done.returncode)
    assert codes[0] == 3


# how the runner waits, in a time that passes only while it waits or plays

NAMES = ("ash", "elm", "fir", "oak")
PLAY_SECONDS = 1.0


class World(DrawnFates):
    """A machine in which time passes when somebody waits, or a match is played; and its workers."""

    def __init__(self, lack: Callable[[MatchJob, float], Lack | None]) -> None:
        super().__init__(Random(0))
        self.lack = lack
        self.begun: list[tuple[float, MatchJob]] = []
        self.played: list[tuple[float, MatchJob]] = []

    def play(self, job: MatchJob) -> MatchRow | Lost:
        lack = self.lack(job, self.now)
        if lack is not None:
            return Lost(job.number, Void(f"this machine lacks {lack}", lack))
        self.now += PLAY_SECONDS
        self.played.append((self.now, job))
        return pack(finished.of_job(job))

    def begin(self, job: MatchJob) -> None:
        self.begun.append((self.now, job))


def run_in(world: World, home: Path, monkeypatch: pytest.MonkeyPatch) -> runner.Summary:
    monkeypatch.setattr(runner, "Workers", workers_of(world))
    bots = tuple(BotEntry(name, ref="random") for name in NAMES)
    lacks = Tournament(name="lacks", games=("leaves",), bots=bots, rounds=5, workers=2)
    return run_tournament(lacks, home, clock=lambda: world.now)


MATCHES = 6 * 2 * 5  # pairings, seatings, rounds


def has_ash(job: MatchJob) -> bool:
    return any(seat.entrant.name == "ash" for seat in job.seats)


def test_lack_that_ends_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After two minutes in which every match is void, all are played, and few were tried."""
    world = World(lambda job, now: Lack.SLOTS if now < 120 else None)
    summary = run_in(world, tmp_path, monkeypatch)
    assert summary.undecided == []
    assert summary.played == len({job.id for _, job in world.played}) == MATCHES
    tries = [now for now, _ in world.begun if now < 120]
    assert len(set(tries)) == 13  # after 0.25, 0.5, 1, 2, 4, 8, and then every 15 seconds
    assert len(tries) <= 13 * 4  # as many at a time as the workers have room for
    assert world.now < 120 + LONGEST_PAUSE + MATCHES * PLAY_SECONDS


def test_lack_that_stays_ends_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After five minutes each match is tried three more times, and is then undecided."""
    world = World(lambda job, now: Lack.DESCRIPTORS)
    summary = run_in(world, tmp_path, monkeypatch)
    assert len(summary.undecided) == MATCHES
    assert world.now == END_SECONDS
    late = [job.id for now, job in world.begun if now == END_SECONDS]
    assert {late.count(name) for name in summary.undecided} == {3}
    again = World(lambda job, now: None)  # and the next run plays them
    assert run_in(again, tmp_path, monkeypatch).played == MATCHES


def test_void_without_lack_has_no_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is void without a lack is tried again without a pause, three times in all."""
    world = World(lambda job, now: None)
    play = world.play
    world.play = lambda job: (  # type: ignore[method-assign]
        Lost(job.number, Void("its worker ended with exit code -9")) if has_ash(job) else play(job)
    )
    summary = run_in(world, tmp_path, monkeypatch)
    assert len(summary.undecided) == MATCHES // 2
    assert world.now == MATCHES // 2 * PLAY_SECONDS
    tries = [job.id for _, job in world.begun]
    assert {tries.count(name) for name in summary.undecided} == {3}
