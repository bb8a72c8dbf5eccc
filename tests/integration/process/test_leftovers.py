"""Leftovers of dead runs: all of them are found and ended, and nothing else ever is.

The tests live in a world of their own, so that no run beside them sweeps what they leave.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.arena_command import ROOT, environment, process, tournament
from support.piped import Piped
from support.ran import PYTHON, ran
from support.running import Running
from support.waiting import is_gone, until

from arena.machine import procfs
from arena.machine.run_folder import own_folder, scratch_folder
from arena.process.leftovers import find_leftovers, sweep

Start = Callable[..., Piped]
# a worker that starts a bot with a child, tells their numbers, and waits to be killed
WORKER = """\
import os, sys, time
from arena.process.bot import BotProcess
from arena.sandbox.interface import Launch
from arena.sandbox.environment import clean_environment
bot = BotProcess(Launch((sys.executable, "-c", sys.argv[1]), clean_environment(), "/"))
os.set_blocking(bot.stdout, True)
print(os.read(bot.stdout, 100).decode(), end="", flush=True)
time.sleep(1000)
"""
# the same with a bot that has more variables than one reads, and one of our name
CROWDED = WORKER.replace(
    "clean_environment(),", "clean_environment() | {'LONG': 'x' * 100_000, 'ARENA_RUN': 'mine'},"
)
# the same without the wait: its launcher is killed, and the worker ends as ever
BEREFT = WORKER.replace(
    "time.sleep(1000)",
    "from arena.machine import procfs\n"
    "os.set_blocking(bot.stdout, False)\n"
    "launcher = int(procfs.stat(bot.pid)[procfs.PARENT])\n"
    "os.kill(launcher, 9)\n"
    "os.waitid(os.P_PID, launcher, os.WEXITED | os.WNOWAIT)\n"
    "bot.kill()",
)
BOT = """\
import os, signal, time, ctypes
ctypes.CDLL(None).prctl(1, 0)  # PR_SET_PDEATHSIG: it does not die with its worker
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    os.write(1, f"{os.getppid()} {os.getpid()}\\n".encode())
time.sleep(1000)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have folders of runs lie where no other run looks.

    The folder's path is short: where a socket's path would not fit, runs use another folder.
    ``tmp_path`` is asked for first, so that pytest's own folders do not come to lie in it.
    """
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)


@pytest.fixture
def start(temporary: Path) -> Iterator[Start]:
    """Yield a function that starts a worker with a bot; everything is killed in the end."""
    started: list[Piped] = []

    def start(bot: str, program: str = WORKER) -> Piped:
        env = {**environment(ROOT), "TMPDIR": str(temporary)}
        started.append(Piped([PYTHON, "-c", program, bot], cwd=ROOT, env=env))
        return started[-1]

    yield start
    for worker in started:
        worker.kill()
        worker.communicate()


def line(worker: Piped) -> list[int]:
    return [int(word) for word in worker.stdout.readline().split()]


def end(*pids: int) -> None:
    """Kill processes and wait for their ends, or the next test would find them."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: all(map(is_gone, pids)))


def test_exactly_the_bots_of_a_dead_worker_are_ended(start: Start) -> None:
    """Of two workers and a program of the user's, only the dead worker's bot and its child end."""
    doomed, healthy = start(BOT), start(BOT)
    leftover, spared = line(doomed), line(healthy)
    control = subprocess.Popen(["sleep", "1000"])
    try:
        assert find_leftovers() == ()
        launcher = int(procfs.stat(leftover[0])[procfs.PARENT])
        doomed.kill()
        doomed.wait()
        until(lambda: is_gone(launcher))
        found = find_leftovers()
        processes = [one for one in found if one.pid]
        assert sorted(one.pid for one in processes) == sorted(leftover)
        assert all("import os, signal, time" in one.what for one in processes)
        assert len(found) == len(processes) + 1, "and the folder of the worker"
        assert not any(map(is_gone, leftover))
        swept = sweep()
        assert sorted(one.pid for one in swept if one.pid) == sorted(leftover)
        assert all(map(is_gone, leftover))
        assert not any(map(is_gone, spared))
        assert not is_gone(healthy.pid)
        assert control.poll() is None
        assert sweep() == () == find_leftovers()
    finally:
        control.kill()
        control.wait()
        end(*leftover, *spared)


def test_multiplying_leftover_is_ended(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leftover process that forks and exits over and over is killed, even by slow searches."""
    hopper = (
        "import os, time\n"
        "os.fork() and os._exit(0)\n"  # the first dies with its worker
        "os.write(1, b'1\\n')\n"
        "for _ in range(20000):\n"
        "    os.fork() and os._exit(0)\n"
        "    os.setsid(); time.sleep(0.03)\n"
    )
    user, pause = procfs.user, threading.Event()
    monkeypatch.setattr(procfs, "user", lambda pid: pause.wait(0.001) or user(pid))
    worker = start(hopper)
    line(worker)
    worker.kill()
    worker.wait()
    # it may fork during the search
    until(lambda: any(one.pid for one in sweep()) and not find_leftovers())


def test_newest_process_is_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Process ids wrap around, so an id above the last assigned one belongs to an older process."""
    monkeypatch.setattr(procfs, "text_of", lambda _: "0.97 3.22 5.39 1/79 40\n")
    monkeypatch.setattr(os, "listdir", lambda _: ["7", "39", "41", "900", "self"])
    assert [*procfs.pids()] == [39, 7, 900, 41]


@pytest.mark.slow
def test_next_run_removes_leftovers(tmp_path: Path, temporary: Path) -> None:
    """The next run removes what a killed runner left in the temporary folder."""
    home, bots = tmp_path / "home", "[random, random-sh]"
    long = tournament(tmp_path, bots, name="long", rounds=1000)  # not over before it is killed
    short = tournament(tmp_path, bots, name="short")
    words = ("run", "--workers", 1, "--verbose")
    run = Running(home, *words, long, TMPDIR=str(temporary))
    run.until()
    run.process.kill()
    run.wait()  # until its workers are gone, too
    left = [*temporary.iterdir()]
    assert any(folder.glob("pymp-*") for folder in left)
    done = process(home, *words, short, TMPDIR=str(temporary))
    assert done.returncode == 0
    for folder in left:
        assert f"removed what a dead run left behind: {folder}" in done.stderr
    assert list(temporary.iterdir()) == []


def test_leftover_is_known_whatever_its_environment(start: Start) -> None:
    """A leftover is found by its word, however long and odd its other variables are."""
    worker = start(BOT, CROWDED)
    leftover = line(worker)
    worker.kill()
    worker.wait()
    try:
        assert {*leftover} <= {one.pid for one in sweep()}
    finally:
        end(*leftover)


def test_what_a_killed_launcher_left_is_ended(start: Start) -> None:
    """The next run ends a process that a bot left behind when its launcher was killed."""
    worker = start(BOT, BEREFT)
    _, child = line(worker)
    try:
        assert worker.wait() == 0
        assert child in [one.pid for one in sweep()]
        assert is_gone(child)
        assert find_leftovers() == ()
    finally:
        end(child)


KILLED = """\
import os, signal, sys
from pathlib import Path
from arena.machine.run_folder import own_folder, scratch_folder
Path(own_folder(), "inner").mkdir()
for scratch in (held := [scratch_folder(Path(place)) for place in sys.argv[1:]]):
    Path(scratch.__enter__(), "inner").mkdir()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_files_of_the_dead_are_removed_and_no_others(
    tmp_path: Path, temporary: Path, own_cache: Path
) -> None:
    """Of what lies about in the places of the arena, only folders of killed runs are removed."""
    home = tmp_path / "home"
    places = [home, home / "bots" / "oak", own_cache]
    kept = [
        temporary / "arena-probe-abc",
        home / "bots" / "oak" / "1-0123456789ab",
        own_cache / ".building-abc",
    ]
    for folder in (*places, *kept):
        folder.mkdir(parents=True, exist_ok=True)
    killed = ran(PYTHON, "-c", KILLED, *places, env={"TMPDIR": str(temporary)})
    assert killed.returncode == -signal.SIGKILL
    with scratch_folder(home) as scratch:
        found = {Path(one.what) for one in find_leftovers(home)}
        assert sorted(path.parent for path in found) == sorted([temporary, *places])
        assert all((path / "inner").is_dir() for path in found)
        assert {Path(one.what) for one in sweep(home)} == found
        assert not any(path.exists() for path in found)
        for path in (scratch, Path(own_folder()), *kept):
            assert path.is_dir()
    assert sweep(home) == ()
