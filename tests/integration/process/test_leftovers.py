"""Leftovers of dead runs: all of them are found and ended, and nothing else ever is.

The tests live in a world of their own, so that no run beside them sweeps what they leave.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.arena_command import ARENA, ROOT, environment
from support.waiting import is_gone, until

import arena.machine.owner as mark_module
from arena.machine.owner import Mark, name_part, own_mark
from arena.process.leftovers import claim_folder, find_leftovers, sweep

WORLD = f"{os.getpid() % 2**32:08x}"

# a worker that starts a bot with a child, tells their numbers, and waits to be killed
WORKER = """\
import os, sys, time
import arena.machine.owner as mark
mark.this_world = lambda: sys.argv[1]
from arena.process.bot import BotProcess
from arena.process.launcher import dismiss_launcher
from arena.sandbox.interface import Launch
from arena.sandbox.environment import clean_environment
bot = BotProcess(Launch((sys.executable, "-c", sys.argv[2]), clean_environment(), "/"))
dismiss_launcher()
os.set_blocking(bot.stdout, True)
print(os.read(bot.stdout, 100).decode(), end="", flush=True)
time.sleep(1000)
"""
BOT = """\
import os, signal, time, ctypes
ctypes.CDLL(None).prctl(1, 0)  # PR_SET_PDEATHSIG: it does not die with its worker
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setsid()
else:
    os.write(1, f"{os.getpid()} {child}\\n".encode())
time.sleep(1000)
"""


def dead_mark() -> Mark:
    return own_mark()._replace(start=own_mark().start + 1)


@pytest.fixture(autouse=True)
def own_world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Have this test's marks hold nowhere else, and its temporary folder be its own.

    The folder's path is short: where a socket's path would not fit, runs use another folder.
    ``tmp_path`` is asked for first, so that pytest's own folders do not come to lie in it.
    """
    monkeypatch.setattr(mark_module, "this_world", lambda: WORLD)
    with tempfile.TemporaryDirectory(dir="/tmp") as temporary:
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        mark_module._mark_of.cache_clear()
        yield
    mark_module._mark_of.cache_clear()


@pytest.fixture
def start() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Yield a function that starts a worker with a bot; everything is killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def start(bot: str) -> subprocess.Popen[str]:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, WORLD, bot],
            cwd=ROOT,
            env=environment(ROOT),
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()
        worker.communicate()


def line(worker: subprocess.Popen[str]) -> list[int]:
    assert worker.stdout is not None
    return [int(word) for word in worker.stdout.readline().split()]


def end(*pids: int) -> None:
    """Kill processes and wait for their ends, or the next test would find them."""
    for pid in pids:
        try:
            pidfd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        assert select.select([pidfd], [], [], 10)[0]
        os.close(pidfd)


def test_exactly_the_bots_of_a_dead_worker_are_ended(
    start: Callable[[str], subprocess.Popen[str]],
) -> None:
    """Of two workers and a program of the user's, only the dead worker's bot and its child end."""
    doomed, healthy = start(BOT), start(BOT)
    leftover, spared = line(doomed), line(healthy)
    control = subprocess.Popen(["sleep", "1000"])
    try:
        assert find_leftovers() == ()
        doomed.kill()
        doomed.wait()
        found = find_leftovers()
        assert sorted(one.pid for one in found) == sorted(leftover)
        assert {one.mark.pid for one in found} == {doomed.pid}
        assert all("import os, signal, time" in one.what for one in found)
        assert not any(map(is_gone, leftover))
        swept = sweep()
        assert sorted(one.pid for one in swept) == sorted(leftover)
        assert all(map(is_gone, leftover))
        assert not any(map(is_gone, spared))
        assert not is_gone(healthy.pid)
        assert control.poll() is None
        assert sweep() == () == find_leftovers()
    finally:
        control.kill()
        control.wait()
        end(*leftover, *spared)


def test_what_multiplies_is_ended_too(start: Callable[[str], subprocess.Popen[str]]) -> None:
    """A leftover that is another process at every look is ended as soon as one look sees it."""
    hopper = (
        "import os, time\n"
        "if os.fork():\n"  # the first dies with its worker
        "    os._exit(0)\n"
        "os.write(1, b'1\\n')\n"
        "for _ in range(20000):\n"
        "    if os.fork():\n"
        "        os._exit(0)\n"
        "    os.setsid()\n"
        "    time.sleep(0.02)\n"
    )
    worker = start(hopper)
    line(worker)
    worker.kill()
    worker.wait()
    until(sweep)  # it may jump just while it is looked for
    assert find_leftovers() == ()


@pytest.mark.slow
def test_the_next_run_sweeps(tmp_path: Path) -> None:
    """What a runner that was killed left in the temporary folder, the next run removes."""
    temporary = Path(tempfile.gettempdir())
    home = tmp_path / "home"
    long, short = tmp_path / "long.yaml", tmp_path / "short.yaml"
    rest = "game: leaves\nseed: 7\nbots: [random, random-sh]\n"
    long.write_text(f"name: long\nrounds: 1000\n{rest}")  # not over before it is killed
    short.write_text(f"name: short\nrounds: 1\n{rest}")
    command = [*ARENA, "run", "--workers", "1", "--verbose"]
    env = {**environment(home), "TMPDIR": str(temporary)}
    killed = subprocess.Popen(
        [*command, str(long)], cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert killed.stderr is not None
    assert killed.stderr.readline()  # a match was played
    killed.kill()
    killed.stderr.read()  # until its workers are gone, too
    killed.wait()
    killed.stderr.close()
    (left,) = temporary.glob("pymp-*")
    assert (left / "arena-run").read_text().startswith(f"{killed.pid}:")
    done = subprocess.run(
        [*command, str(short)], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert f"removed what a dead run left behind: {left}" in done.stderr
    assert list(temporary.iterdir()) == []


def test_files_of_the_dead_are_removed_and_no_others(tmp_path: Path, own_cache: Path) -> None:
    """Of what lies about, only what bears the mark of somebody dead is removed."""
    temporary, home = Path(tempfile.gettempdir()), tmp_path / "home"
    dead = str(dead_mark()).replace(":", ".")
    other = f"{dead[:-8]}ffffffff"
    gone = [
        temporary / f"arena-probe-{dead}-abc",
        own_cache / f".building-{dead}-abc",
        home / "bots" / "oak" / f".copying-{dead}-abc",
        home / "bots" / "_run" / f".listing-{dead}-abc",
        temporary / "pymp-dead",
    ]
    kept = [
        temporary / f"arena-probe-{name_part()}-abc",  # of a living process
        temporary / f"arena-probe-{other}-abc",  # of another machine
        temporary / f"other-{dead}-abc",
        temporary / "arena-probe-abc",
        temporary / "pymp-other",
        temporary / "pymp-living",
        own_cache / f"building-{dead}-abc",
        home / "bots" / "oak" / "1-0123456789ab",
    ]
    for folder in (*gone, *kept):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "file").write_text("x")
    (temporary / "pymp-dead" / "arena-run").write_text(f"{dead_mark()}\n")
    claim_folder(str(temporary / "pymp-living"))
    link = temporary / f"arena-link-{dead}-abc"
    link.symlink_to(kept[0])

    assert {Path(one.what) for one in find_leftovers(home)} == {*gone, link}
    assert {Path(one.what) for one in sweep(home)} == {*gone, link}
    assert not any(path.exists() for path in gone)
    assert not link.is_symlink()
    assert all((path / "inner" / "file").exists() for path in kept)
    assert sweep(home) == ()
