"""Runners and workers are killed at random moments; in the end all is as if nobody had been."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.arena_command import ROOT, output, tournament
from support.crash_runs import acknowledged, at_end, left_over, stored
from support.needs import root, working
from support.running import Running
from support.waiting import words_of

from arena.machine.procfs import FLAGS, children_of, descendants, stat

CRASHER = f"{{name: crasher, run: {ROOT}/tests/integration/programs/scripted.py, args: [crash]}}"
MATCHES = 30
SEED = 12
FORKED = 0x40  # PF_FORKNOEXEC
NIGHTLY = (pytest.mark.nightly, pytest.mark.timeout(3600))


def often(level: str, slow: int, levels: tuple[str, ...], nightly: int) -> pytest.MarkDecorator:
    """Return how often it is tried at a level in CI, and at each of several before a release."""
    rows = [
        pytest.param(level, slow, marks=pytest.mark.slow),
        *(pytest.param(one, nightly, marks=NIGHTLY) for one in levels),
    ]
    return pytest.mark.parametrize(("level", "times"), rows)


def written(folder: Path, level: str, rounds: int = 15) -> tuple[Path, tuple[str, ...]]:
    """Write the tournament's file; return a home for it and the command."""
    folder.mkdir()
    keys = {"rounds": rounds, "seed": 3, "workers": 2, "sandbox": level}
    file = tournament(folder, f"[random-sh, {CRASHER}]", **keys)
    return folder / "home", ("run", str(file), "--verbose")


def undisturbed(folder: Path, level: str) -> tuple[object, float]:
    """Return what comes of the tournament, and how long it takes to its first match."""
    home, words = written(folder / "calm", level=level)
    begin = time.monotonic()
    run = Running(home, *words)
    run.until()
    first = time.monotonic() - begin
    assert run.wait() == 0, run.said
    return at_end(home), first


Kill = Callable[[Running, int], int]  # has its way with a run, killing at most so many; how many


def campaign(
    folder: Path, times: int, calm: object, kill: Kill, codes: tuple[int, ...], level: str
) -> int:
    """Play tournaments until so many were killed; each must end as the calm one.

    ``codes`` are the exit codes after which the same command is given again. Whenever a run has
    ended, all that was ever acknowledged is stored, and once. Returns how many runs had
    acknowledged a match before they ended so.
    """
    killed = before = tournaments = 0
    while killed < times:
        home, words = written(folder / str(tournaments), level=level)
        told: set[str] = set()
        code = codes[0]
        while code in codes:
            run = Running(home, *words)
            killed += kill(run, times - killed)
            code, err = run.wait(), run.said
            assert code in (0, *codes), err
            assert "Traceback" not in err, err
            assert left_over(home) == []
            told |= acknowledged(err)
            before += code != 0 and bool(acknowledged(err))
            found = stored(home)
            assert told <= set(found)
            assert len(found) == len(set(found))
        assert at_end(home) == calm
        assert len(stored(home)) == MATCHES
        tournaments += 1
    print(f"{killed} kills in {tournaments} tournaments: nothing lost or doubled")
    return before


@often("none", 2, ("none",), 200)
def test_killed_runners(level: str, times: int, tmp_path: Path) -> None:
    """No acknowledged result is lost, none is counted twice, and the end is the undisturbed one."""
    rng = random.Random(SEED)
    calm, first = undisturbed(tmp_path, level)

    def kill(run: Running, left: int) -> int:
        process = run.process
        if not left:
            return 0
        if left % 2:  # after some matches, however quick they are
            matches = rng.randrange(1, MATCHES // 2)
            while run.said.count(" by ") < matches and run.line():
                pass
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):  # a moment of the run
                process.wait(rng.uniform(0.0, 2.0 * first))
        alive = process.poll() is None
        process.kill()
        return int(alive)

    before = campaign(tmp_path, times, calm, kill, (-signal.SIGKILL,), level)
    assert before, "nothing could have been lost"


def one_by_one(find: Callable[[int], list[int]]) -> Kill:
    """Return what kills one of the processes that are found below a runner, at random moments."""
    rng = random.Random(SEED)

    def kill(run: Running, left: int) -> int:
        killed = 0
        while run.process.poll() is None and killed < left:
            for _ in range(rng.randrange(4)):
                run.line()
            time.sleep(rng.uniform(0.0, 0.1))  # a moment of a start, or of a match
            if found := find(run.process.pid):
                with contextlib.suppress(ProcessLookupError):  # its worker may have left
                    os.kill(rng.choice(found), signal.SIGKILL)
                    killed += 1
        return killed

    return kill


@often("none", 2, ("none",), 100)
def test_killed_workers(level: str, times: int, tmp_path: Path) -> None:
    """The same for workers, whose matches are void and played again."""
    calm, _ = undisturbed(tmp_path, level)
    # a match hit three times is for the next run
    campaign(tmp_path, times, calm, one_by_one(workers_of), (3,), level)


@often("bwrap", 3, ("bwrap", "landlock"), 600)
def test_killed_launchers(level: str, times: int, tmp_path: Path) -> None:
    """The same for launchers, at whatever they are: no bot loses a match by it."""
    working(level)
    calm, _ = undisturbed(tmp_path, level)
    campaign(tmp_path, times, calm, one_by_one(launchers_of), (3,), level)


def workers_of(runner: int) -> list[int]:
    """Return the process ids of a runner's workers: the children of its fork server."""
    servers = [pid for pid in children_of(runner) if b"forkserver" in words_of(pid)]
    return [pid for server in servers for pid in children_of(server)]


def launchers_of(runner: int) -> list[int]:
    """Return the process ids of the launchers below a runner."""
    return [pid for pid in descendants(runner) if _launches(pid)]


def _launches(pid: int) -> bool:
    """Return whether a process is a launcher, and not a fork of one that is to become a bot."""
    with contextlib.suppress(OSError):
        return b"import confine" in words_of(pid) and not int(stat(pid)[FLAGS]) & FORKED
    return False


@often("limits", 2, ("landlock", "limits"), 30)
def test_killed_and_started_again_at_once(level: str, times: int, tmp_path: Path) -> None:
    """All of a run is killed at one instant: whatever it left under bots' users, the next plays."""
    root("give bots users of their own, which something may be left under")
    working(level)
    home, words = written(tmp_path / "again", rounds=2000, level=level)
    for _ in range(times):
        run = Running(home, *words, "--workers", 4)
        run.until(times=3)  # which fails where it is refused
        run.kill()
    assert output(home, "verify").endswith("all right\n")
