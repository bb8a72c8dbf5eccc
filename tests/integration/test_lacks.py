"""Matches that are void because the machine lacks something wait for it; the others go on."""

from __future__ import annotations

import contextlib
import errno
import functools
import gc
import logging
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import few_slots, finished
from support.arena_command import ROOT, arena, environment, output
from support.arena_users import as_user
from support.match_jobs import job, seat
from support.needs import working

import arena.workers.local as workers_module
from arena.machine import retry as patience
from arena.machine.retry import END_SECONDS, LONGEST_PAUSE, Patience
from arena.match.record import parse_record, without_times
from arena.packed.match import pack
from arena.progress import attempts
from arena.run import runner
from arena.run.runner import run_tournament
from arena.sandbox import LEVELS, slots
from arena.sandbox.diagnosis import explain
from arena.sandbox.slots import Slot, take_slot
from arena.session import match_session
from arena.session.match_session import play_match
from arena.store import open_store
from arena.values.errors import Lack, MatchVoid
from arena.values.model import BotEntry, Match, MatchJob, Tournament
from arena.values.model import Termination as By
from arena.workers.local import Lost, Played, Workers
from arena.workers.watched import Make

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
def test_a_start_that_lacks_something(
    error: Exception, lack: Lack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is lacking when a bot is started makes the match void, and is named as the cause."""

    def launch(*words: object) -> None:
        raise error

    monkeypatch.setattr(match_session, "launch", launch)
    with pytest.raises(MatchVoid) as void:
        play_match(job("pebbles(players=2)", seat("good"), seat("good", name="other")))
    assert void.value.lack is lack
    assert lack.value in str(void.value)


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM])
def test_only_a_start_lacks_processes(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same error amid a match is none that is waited for: a bot may have brought it about."""

    def ask(*words: object) -> None:
        raise OSError(number, "read")

    monkeypatch.setattr(match_session.MatchSession, "play", ask)
    with pytest.raises(OSError, match="read") as error:
        play_match(job("pebbles(players=2)", seat("good"), seat("good", name="other")))
    assert error.value.errno == number


@pytest.mark.usefixtures("small_games")
def test_another_error_is_no_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no waiting helps against is not taken for a lack."""

    def launch(*words: object) -> None:
        raise OSError(errno.ENOENT, "setpriv")

    monkeypatch.setattr(match_session, "launch", launch)
    with pytest.raises(FileNotFoundError):
        play_match(job("pebbles(players=2)", seat("good"), seat("good", name="other")))
    assert MatchVoid("this machine was suspended").lack is None


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
def test_an_isolation_that_lacks_something(said: str, lack: Lack | None) -> None:
    """What isolates a bot, and is another program, can say only in words what it lacked."""
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


def test_no_more_processes() -> None:
    """A user who may have no more processes has a lack, and no bot is at fault."""
    done = as_user("user", "-c", NO_PROCESSES)
    assert done.stdout.split() == ["PROCESSES", "rules"], done.stderr


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize(
    "level",
    [
        # with the fewest descriptors of their own, and with the most
        pytest.param(level, marks=() if level in ("none", "bwrap") else pytest.mark.slow)
        for level in LEVELS
    ],
)
def test_few_descriptors_are_no_fault_of_a_bot(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many descriptors there are, a match is void or played well, and nothing is left."""
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


RUN = """\
name: few
game: leaves
rounds: 1
seed: 3
workers: 1
bots: [random, random-sh]
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "play"])
def test_few_descriptors_from_the_start(command: str, tmp_path: Path) -> None:
    """However few there are, what is lacking is no mistake of a person, and ends in a sentence."""
    file = tmp_path / "few.yaml"
    file.write_text(RUN)
    words = ["run", str(file)] if command == "run" else ["play", "leaves", "random", "random-sh"]
    code = "import resource, sys; most = int(sys.argv.pop(1)); "
    code += "resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)); "
    code += "from arena.cli.main import main; main()"
    codes = []
    for most in (9, 10, 11, 13, 15, 18):
        done = subprocess.run(
            [sys.executable, "-c", code, str(most), *words],
            cwd=ROOT,
            env=environment(tmp_path / str(most)) | {"ARENA_PATIENCE": "0"},
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert "Traceback" not in done.stderr, f"{most}: {done.stderr}"
        assert done.returncode in (0, 3), f"{most}: exit {done.returncode}, {done.stderr}"
        codes.append(done.returncode)
    assert codes[0] == 3


# how the runner waits, in a time that passes only while it waits or plays

NAMES = ("ash", "elm", "fir", "oak")
PLAY_SECONDS = 1.0


class World:
    """A machine in which time passes when somebody waits, or a match is played."""

    def __init__(self, lack: Callable[[MatchJob, float], Lack | None]) -> None:
        self.now = 0.0
        self.lack = lack
        self.started: list[tuple[float, MatchJob]] = []
        self.played: list[tuple[float, MatchJob]] = []
        self.most = 0  # matches at a time, since that was last said

    def clock(self) -> float:
        return self.now

    def play(self, job: MatchJob) -> Played | Lost:
        lack = self.lack(job, self.now)
        if lack is not None:
            return Lost(job, f"this machine lacks {lack}", lack)
        self.now += PLAY_SECONDS
        self.played.append((self.now, job))
        return Played(pack(finished.of_job(job)))

    def workers(self, count: int, *, pin: bool) -> FakeWorkers:
        return FakeWorkers(self, 2 * count)


class FakeWorkers:
    """Workers of a world."""

    def __init__(self, world: World, room: int) -> None:
        self._world = world
        self._room = room

    def __enter__(self) -> FakeWorkers:
        return self

    def stop(self) -> None:
        pass

    def use(self, most: int) -> None:
        self._world.most = most

    def run(
        self,
        matches: Callable[[int], Match | float | None],
        make: Make,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
        flying: list[MatchJob] = []
        while True:
            pause: float | None = None
            while len(flying) < self._room:
                given = matches(0)
                if not isinstance(given, Match):
                    pause = given
                    break
                flying.append(make(given))
                self._world.started.append((self._world.now, flying[-1]))
            if flying:
                yield [self._world.play(flying.pop(0))]
            elif pause is None:
                return
            else:
                assert pause > 0
                self._world.now += pause


def run_in(
    world: World, home: Path, monkeypatch: pytest.MonkeyPatch, *, workers: int = 2
) -> runner.Summary:
    monkeypatch.setattr(runner, "Workers", world.workers)
    monkeypatch.setattr(attempts, "Patience", functools.partial(Patience, world.clock))
    bots = tuple(BotEntry(name, ref="random") for name in NAMES)
    tournament = Tournament(name="lacks", games=("leaves",), bots=bots, rounds=5, workers=workers)
    return run_tournament(tournament, home)


MATCHES = 6 * 2 * 5  # pairings, seatings, rounds


def has_ash(job: MatchJob) -> bool:
    return any(seat.entrant == "ash" for seat in job.seats)


def test_a_lack_that_ends_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is void for two minutes; then everything is played, and little was tried."""
    world = World(lambda job, now: Lack.SLOTS if now < 120 else None)
    summary = run_in(world, tmp_path, monkeypatch)
    assert summary.undecided == []
    assert summary.played == len({job.id for _, job in world.played}) == MATCHES
    tries = [now for now, _ in world.started if now < 120]
    assert len(set(tries)) == 13  # after 0.25, 0.5, 1, 2, 4, 8, and then every 15 seconds
    assert len(tries) <= 13 * 4  # as many at a time as the workers have room for
    assert world.now < 120 + LONGEST_PAUSE + MATCHES * PLAY_SECONDS


def test_a_lack_that_stays_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After five minutes nobody waits: each match is tried three more times, then undecided."""
    world = World(lambda job, now: Lack.DESCRIPTORS)
    summary = run_in(world, tmp_path, monkeypatch)
    assert len(summary.undecided) == MATCHES
    assert world.now == END_SECONDS
    late = [job.id for now, job in world.started if now == END_SECONDS]
    assert {late.count(name) for name in summary.undecided} == {3}
    again = World(lambda job, now: None)  # and the next run plays them
    assert run_in(again, tmp_path, monkeypatch).played == MATCHES


def test_others_go_on_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches for which there is enough are played while others wait, and before them."""
    world = World(lambda job, now: Lack.PROCESSES if has_ash(job) and now < 100 else None)
    summary = run_in(world, tmp_path, monkeypatch)
    assert summary.undecided == []
    assert summary.played == MATCHES
    others = [now for now, job in world.played if not has_ash(job)]
    assert len(others) == MATCHES // 2
    assert max(others) < 50  # 30 matches of one second, and short pauses in between
    assert min(now for now, job in world.played if has_ash(job)) >= 100


def test_a_lack_of_some_ends_for_them_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is always lacking to some matches makes these undecided, and holds up no others."""
    world = World(lambda job, now: Lack.SLOTS if has_ash(job) else None)
    summary = run_in(world, tmp_path, monkeypatch)
    assert summary.played == len(summary.undecided) == MATCHES // 2
    last = max(now for now, _ in world.played)
    assert last < 50
    assert world.now <= last + END_SECONDS + LONGEST_PAUSE


def test_where_memory_lacks_fewer_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each time that memory runs out half as many matches are played at a time, and no attempt
    counts; what still runs out of it when it is played alone is tried three times."""
    world = World(lambda job, now: Lack.MEMORY if has_ash(job) or world.most != 1 else None)
    summary = run_in(world, tmp_path, monkeypatch, workers=4)
    assert world.most == 1
    assert [word for word in (2, 1) if f"at most {word} matches" in caplog.text] == [2, 1]
    assert summary.played == len(summary.undecided) == MATCHES // 2
    assert "4 matches" not in caplog.text
    tries = [job.id for now, job in world.started if has_ash(job)]
    assert max(tries.count(name) for name in tries) <= 3 + 2, "twice while there were others"
    assert world.now < MATCHES * (PLAY_SECONDS + 1)


def test_no_lack_no_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is void for another reason is tried again at once, three times in all."""
    world = World(lambda job, now: None)
    play = world.play
    world.play = lambda job: (  # type: ignore[method-assign]
        Lost(job, "its worker ended with exit code -9") if has_ash(job) else play(job)
    )
    summary = run_in(world, tmp_path, monkeypatch)
    assert len(summary.undecided) == MATCHES // 2
    assert world.now == MATCHES // 2 * PLAY_SECONDS
    tries = [job.id for _, job in world.started]
    assert {tries.count(name) for name in summary.undecided} == {3}


# for real: workers that are given something back once the runner waits

PEBBLES = "pebbles(players=2)"


class OnWaiting(logging.Handler):
    """Does something once the runner says that it waits, and keeps what it said."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []
        self._then = then

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())
        if "matches wait" in self.said[-1]:
            self._then()


@pytest.fixture
def on_waiting() -> Iterator[Callable[[Callable[[], None]], OnWaiting]]:
    log = logging.getLogger("arena.progress.attempts")
    added: list[OnWaiting] = []

    def add(then: Callable[[], None]) -> OnWaiting:
        added.append(OnWaiting(then))
        log.addHandler(added[-1])
        return added[-1]

    yield add
    for handler in added:
        log.removeHandler(handler)


def tournament(**more: object) -> Tournament:
    bots = (BotEntry("random", ref="random"), BotEntry("greedy", ref="greedy"))
    fields = {"name": "lacks", "games": ("leaves",), "bots": bots, "rounds": 4, "workers": 1}
    fields |= {"seed": 2026}
    return Tournament(**{**fields, **more})  # type: ignore[arg-type]  # as named there


def texts(home: Path) -> list[str]:
    with open_store(home, create=False) as store:
        return [without_times(text) for text in store.matches.texts()]


class Starved(Workers):
    """Workers whose descriptors are taken from them after the first match."""

    started: list[Starved]

    def run(
        self,
        matches: Callable[[int], Any],  # any that has a number
        make: Make,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
        self.started.append(self)
        given = 0
        starved = False

        def one_then_the_others(place: int) -> Match | float | None:
            nonlocal given
            if given and not starved:
                return 0.001  # until the first is back
            given += 1
            match: Match | float | None = matches(place)
            return match

        for results in super().run(one_then_the_others, make, look):
            if not starved:
                self.limit(3)  # all of these are in use
                starved = True
            yield results

    def limit(self, most: int) -> None:
        for pid in self.pids():
            _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, hard))


@pytest.fixture
def starved(monkeypatch: pytest.MonkeyPatch) -> list[Starved]:
    monkeypatch.setattr(Starved, "started", [], raising=False)
    monkeypatch.setattr(runner, "Workers", Starved)
    monkeypatch.setattr(patience, "FIRST_PAUSE", 0.01)
    return Starved.started


@pytest.mark.slow
def test_descriptors_that_come_back(
    tmp_path: Path, starved: list[Starved], on_waiting: Callable[[Callable[[], None]], OnWaiting]
) -> None:
    """A worker without descriptors plays nothing; once it has some, everything, as undisturbed."""
    heard = on_waiting(lambda: starved[0].limit(256))
    summary = run_tournament(tournament(), tmp_path / "starved")
    assert Lack.DESCRIPTORS.value in heard.said[0]
    assert summary.undecided == []
    assert summary.played == 8
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(runner, "Workers", Workers)
        run_tournament(tournament(), tmp_path / "plain")
    assert texts(tmp_path / "starved") == texts(tmp_path / "plain")


def test_interrupted_while_waiting(
    tmp_path: Path,
    starved: list[Starved],
    on_waiting: Callable[[Callable[[], None]], OnWaiting],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C during a wait, here of an hour, stops the run; what was played is kept."""
    for name in ("FIRST_PAUSE", "LONGEST_PAUSE", "END_SECONDS"):
        monkeypatch.setattr(patience, name, 3600.0)
    asked = threading.Event()
    seconds = Patience.seconds

    def told(self: Patience) -> float:
        if seconds(self):
            asked.set()  # the next that the runner does is to wait
        return seconds(self)

    def interrupt() -> None:
        asked.wait()
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Patience, "seconds", told)
    thread = threading.Thread(target=interrupt)
    on_waiting(thread.start)
    with pytest.raises(KeyboardInterrupt):
        run_tournament(tournament(), tmp_path)
    thread.join()
    assert len(texts(tmp_path)) == 1


class SlotsTaken(Workers):
    """Workers for whose bots there is no user left when they begin."""

    taken: list[Slot]

    def __enter__(self) -> SlotsTaken:
        super().__enter__()
        with contextlib.suppress(OSError):
            while True:
                self.taken.append(take_slot())
        return self

    @classmethod
    def give_back(cls) -> None:
        while cls.taken:
            cls.taken.pop().close()


def test_slots_that_come_back(
    tmp_path: Path,
    on_waiting: Callable[[Callable[[], None]], OnWaiting],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While every user for bots is taken matches wait; once some are free, they are played."""
    if os.geteuid() != 0:
        pytest.skip("only root gives bots users of their own")
    working("limits")
    users = few_slots.free_users(3)
    monkeypatch.setattr(slots, "FIRST_UID", users[0])  # for the probe, and for who takes them
    monkeypatch.setattr(slots, "LAST_UID", users[-1])
    work = functools.partial(few_slots.work, users[0], users[-1])
    monkeypatch.setattr(workers_module, "work", work)
    monkeypatch.setattr(runner, "Workers", SlotsTaken)
    monkeypatch.setattr(SlotsTaken, "taken", [], raising=False)
    monkeypatch.setattr(patience, "FIRST_PAUSE", 0.01)
    heard = on_waiting(SlotsTaken.give_back)
    summary = run_tournament(tournament(sandbox="limits"), tmp_path, allow_unsafe=True)
    assert [line for line in heard.said if Lack.SLOTS.value in line]
    assert summary.undecided == []
    assert summary.played == 8


SQUATTED = """\
name: squatted
game: leaves
rounds: 5
sandbox: limits
workers: 2
bots: [random, greedy, {{name: squatter, run: {root}/tests/integration/bots/squatter.py}}]
"""


@pytest.mark.slow
def test_a_bot_that_squats(tmp_path: Path) -> None:
    """A bot that takes every name and lock it can reach makes no match void."""
    if os.geteuid() != 0:
        pytest.skip("only root gives bots users of their own")
    file = tmp_path / "squatted.yaml"
    file.write_text(SQUATTED.format(root=ROOT))
    done = arena(tmp_path / "home", "run", file)
    assert done.returncode == 0, done.stderr
    assert "void" not in done.stderr
    records = [parse_record(line) for line in output(tmp_path / "home", "export").splitlines()]
    assert {record.by for record in records} == {By.RULES}
