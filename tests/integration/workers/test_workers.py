"""Worker processes: all results come back, a killed one costs its match only, nothing is left."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import os
import re
import resource
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

import pytest
from support.match_jobs import job, pebbles, played_by, seat, with_ballast
from support.waiting import is_gone, words_of, written

import arena.process.silence as silence
import arena.workers.gather as gather_module
import arena.workers.local as workers_module
from arena.isolation.probes import probe
from arena.machine.procfs import descendants, open_files
from arena.session.match_session import play_match
from arena.values.errors import Lack, WorkerError
from arena.values.model import MatchJob
from arena.values.tables import MatchRow
from arena.workers.local import Lost, Workers

pytestmark = pytest.mark.usefixtures("small_games")


def short_match(number: int) -> MatchJob:
    return pebbles(seat("good"), seat("good", name="other"), heap=3, number=number)


def match_of(text: str, number: int, pid_file: Path) -> MatchJob:
    """A match of a bot with this program, which writes process ids to a file."""
    program = pid_file.with_suffix(".py")
    program.write_text(text)
    pid_file.touch()
    bot = seat(str(pid_file), program=program)
    return pebbles(bot, seat("good", name="other"), heap=8, number=number)


# writes down its process id and hangs for an hour
HANG = """\
import contextlib, os, sys, time
with contextlib.suppress(OSError):  # there are levels at which it may not
    open(sys.argv[1], 'a').write(f'{os.getpid()} {os.getppid()}\\n')
time.sleep(3600)
"""


def test_killed_worker_costs_its_match(tmp_path: Path) -> None:
    """A killed worker's match is lost, its bot is dead, the others are played by a new worker."""
    pids = tmp_path / "pids"
    matches = [match_of(HANG, 0, pids), short_match(1), short_match(2)]

    def kill_once_a_bot_runs(worker: int) -> None:
        written(pids)
        os.kill(worker, signal.SIGKILL)

    with Workers(1) as workers, ThreadPoolExecutor() as beside:
        [old] = workers.pids()
        beside.submit(kill_once_a_bot_runs, old)
        outcomes = played_by(workers, matches)
        assert workers.pids() != [old]
    assert [type(outcome) for outcome in outcomes] == [Lost, MatchRow, MatchRow]
    assert isinstance(outcomes[0], Lost)
    assert outcomes[0].number == 0
    assert "exit code -9" in outcomes[0].void.reason
    bot = int(pids.read_text().split()[0])
    assert is_gone(bot)


@pytest.mark.slow
def test_stopped_worker_does_not_block_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is stopped before it reads its match does not make the runner wait."""
    for module in (silence, workers_module, gather_module):
        monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    make = functools.partial(with_ballast, b"x" * (4 << 20))  # more than any pipe has room for
    rest = map(short_match, range(2))
    looks: list[int] = []
    with Workers(1) as workers:
        [worker] = workers.pids()
        os.kill(worker, signal.SIGSTOP)

        def look() -> None:
            looks.append(worker)
            if len(looks) == 3:
                os.kill(worker, signal.SIGCONT)

        results = workers.run(lambda place: next(rest, None), make, look)
        outcomes = [one for some in results for one in some]
    assert [type(outcome) for outcome in outcomes] == [MatchRow, MatchRow]


def test_failing_match_is_lost_not_fatal() -> None:
    """An error of ours in a match comes back as its reason, and the worker goes on."""
    broken = job("pebbles(players=2)", seat("good"), seat("good"), setup="no setup", number=5)
    with Workers(1) as workers:
        outcomes = played_by(workers, [broken, short_match(6)])
    assert isinstance(outcomes[0], Lost)
    assert "BadSetup" in outcomes[0].void.reason
    assert isinstance(outcomes[1], MatchRow)


def test_worker_without_descriptors_reports_lack() -> None:
    """A worker that may open no file returns the lack with its match, and plays on later."""
    with Workers(1) as workers:
        [pid] = workers.pids()
        [first] = played_by(workers, [short_match(0)])
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, limits[1]))  # all of these are in use
        [starved] = played_by(workers, [short_match(1)])
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        [fed] = played_by(workers, [short_match(2)])
        assert workers.pids() == [pid]
    assert isinstance(starved, Lost)
    assert starved.void.lack is Lack.DESCRIPTORS
    assert [type(first), type(fed)] == [MatchRow, MatchRow]


def test_run_ends_if_no_worker_takes_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """If every worker ends before it takes its match, the run ends with a sentence."""
    start = Workers._start

    def start_dying(self: Workers) -> object:
        worker = start(self)
        os.kill(worker.process.pid or 0, signal.SIGKILL)
        return worker

    monkeypatch.setattr(Workers, "_start", start_dying)
    with Workers(1) as workers, pytest.raises(WorkerError, match="before they took a match"):
        played_by(workers, [short_match(0)])


# children of the program that runs us

# hangs, and leaves behind a process that has taken off all it can
DOUBLE_FORK = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(256):
            try:
                os.close(number)
            except OSError:
                pass
        file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
        os.write(file, b"%d\\n" % os.getpid())
        os.execve("/bin/sleep", ["sleep", "3600"], {})
    os._exit(0)
time.sleep(3600)
"""


def test_other_children_are_left_alone(tmp_path: Path) -> None:
    """A child that the host starts meanwhile lives on, and its exit status stays the host's.

    The orphan of a dead worker's bot dies, in whatever session and environment it is.
    """
    orphans = tmp_path / "orphans"
    match = match_of(DOUBLE_FORK, 0, orphans)
    sleeping: list[subprocess.Popen[bytes]] = []
    ended: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        for session in (True, False):
            sleeping.append(subprocess.Popen(["sleep", "3600"], start_new_session=session))
            ended.append(subprocess.Popen(["sh", "-c", "exit 7"], start_new_session=session))

    with Workers(1) as workers:
        [old] = workers.pids()

        def kill_once_it_has_left_one() -> None:
            written(orphans)
            start()
            os.kill(old, signal.SIGKILL)

        with ThreadPoolExecutor() as beside:
            beside.submit(kill_once_it_has_left_one)
            outcomes = played_by(workers, [match, short_match(1)])
        start()  # also those of the first thread, whose children the orphans become
        os.waitid(os.P_PID, ended[-1].pid, os.WEXITED | os.WNOWAIT)
    assert [type(outcome) for outcome in outcomes] == [Lost, MatchRow]
    assert is_gone(int(orphans.read_text()))
    assert [process.poll() for process in sleeping] == [None] * 4
    for process in sleeping:
        process.kill()
    assert [process.wait() for process in sleeping] == [-signal.SIGKILL] * 4
    assert [process.wait() for process in ended] == [7] * 4


@pytest.mark.slow
def test_a_match_of_the_host_leaves_its_children_alone(tmp_path: Path) -> None:
    """A match that the host plays itself ends its bots' orphans, and no child of the host."""
    orphans = tmp_path / "orphans"
    started: list[subprocess.Popen[bytes]] = []

    def watch(referee: object) -> None:
        if not started:
            started.append(subprocess.Popen(["sleep", "3600"], start_new_session=True))

    result = play_match(match_of(DOUBLE_FORK, 0, orphans), watch=watch)
    assert result.record.faults[0].player == 0
    assert is_gone(int(orphans.read_text()))
    [child] = started
    assert child.poll() is None
    child.kill()
    child.wait()


# what bots inherit


@pytest.mark.slow
def test_bots_hold_no_socket_of_ours(tmp_path: Path) -> None:
    """Of a worker's sockets and pipes a bot has its own three, at every level that works here."""
    for level in ("none", "limits", "landlock", "bwrap"):
        if probe(level) is not None:
            continue
        match = dataclasses.replace(match_of(HANG, 0, tmp_path / "hang"), sandbox=level)
        sockets: list[str] = []
        with Workers(1) as workers:
            [worker] = workers.pids()

            def look_and_kill(worker: int = worker, sockets: list[str] = sockets) -> None:
                bots: list[int] = []
                while not any(b"hang.py" in words_of(pid) for pid in bots):
                    assert not is_gone(worker)
                    bots = list(descendants(worker))
                ours = {*links(worker), *links(os.getpid())}
                for bot in bots:
                    line = words_of(bot)  # first: a fork holds all until it executes a bot
                    if line and line != words_of(worker) and b"confine.py" not in line:
                        # pym-… is the memory that signs of life are given in
                        wrong = (name for name in links(bot) if re.search(r"^socket:|/pym-", name))
                        sockets.extend(wrong)
                        held = {name for name in links(bot) if name.startswith("pipe:")} & ours
                        assert len(held) <= 3 + 2  # bubblewrap reports through two more
                os.kill(worker, signal.SIGKILL)

            with ThreadPoolExecutor() as beside:
                looked = beside.submit(look_and_kill)
                [outcome] = played_by(workers, [match])
            looked.result()
            assert isinstance(outcome, Lost), outcome  # the bot was seen, and its worker killed
        assert sockets == [], level


def links(pid: int) -> list[str]:
    """Return what the descriptors of a process lead to."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        found.extend(target for _, target in open_files(pid))
    return found


# a fork server, and a resource tracker, that somebody kills


def server_pid() -> int:
    pid: int = vars(forkserver._forkserver)["_forkserver_pid"]
    return pid


def end_server() -> None:
    """Kill the fork server, and see it dead."""
    os.kill(server_pid(), signal.SIGKILL)
    os.waitid(os.P_PID, server_pid(), os.WEXITED | os.WNOWAIT)


@pytest.mark.slow
@pytest.mark.parametrize("step", ["before", "after"])
def test_fork_server_that_always_dies_ends_run(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork server that dies at each attempt ends in exit code 3, and nothing stays open.

    It dies ``before`` anybody connects, or ``after`` it was asked for a worker.
    """
    with Workers(1):  # opens what this process keeps for all workers there will be
        pass
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    ensure = forkserver._forkserver.ensure_running
    deaths: list[int] = []

    def die() -> None:
        deaths.append(server_pid())
        end_server()

    def die_at_once() -> None:
        ensure()
        die()

    def die_when_asked(descriptor: int) -> int:
        die()
        raise EOFError("unexpected EOF")  # unless it has answered just before

    monkeypatch.setattr(workers_module, "START_PAUSE", 0.0)
    if step == "before":
        monkeypatch.setattr(forkserver._forkserver, "ensure_running", die_at_once)
    else:
        monkeypatch.setattr(forkserver, "read_signed", die_when_asked)
    with pytest.raises(WorkerError, match="no worker can be started") as caught, Workers(2):
        pass
    assert caught.value.exit_code == 3
    assert len(deaths) == workers_module.STARTS
    gc.collect()
    # the fork server's pipe, and the tracker's
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_killed_resource_tracker_gives_no_warning() -> None:
    """Workers start without a warning after the resource tracker was killed."""
    resource_tracker.ensure_running()
    pid: int = vars(resource_tracker._resource_tracker)["_pid"]
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    with Workers(1) as workers:
        outcomes = played_by(workers, [short_match(0)])
    assert [type(outcome) for outcome in outcomes] == [MatchRow]
