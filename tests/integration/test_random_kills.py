"""Runners and workers are killed at random moments; in the end all is as if nobody had been."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from support.crash_runs import acknowledged, at_end, ended, left_over, start, stored

from arena.procfs import descendants

TOURNAMENT = """\
name: kills
game: leaves
rounds: 30
seed: 3
workers: 2
sandbox: none
bots: [random-awk, {name: other, bot: random-awk}]
"""
MATCHES = 60
SEED = 12


class Campaign(NamedTuple):
    """What came of a campaign: kills, tournaments played to their end, results lost and doubled."""

    kills: int
    tournaments: int
    lost: int
    doubled: int


def report(what: str, found: Campaign, since: float) -> None:
    """Print the figures of a campaign."""
    seconds = time.monotonic() - since
    print(
        f"{what}: {found.kills} kills in {found.tournaments} tournaments,"
        f" {found.lost} acknowledged results lost, {found.doubled} counted twice, {seconds:.0f} s"
    )


def tournament(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Write the tournament's file; return a home for it and the command."""
    folder.mkdir()
    file = folder / "kills.yaml"
    file.write_text(TOURNAMENT)
    return folder / "home", ("run", str(file), "--verbose")


def undisturbed(folder: Path) -> tuple[object, float]:
    """Return what comes of the tournament, and how long it takes to its first match."""
    home, words = tournament(folder / "calm")
    begin = time.monotonic()
    process = start(home, words)
    assert process.stderr is not None
    while " by " not in process.stderr.readline():  # what comes before the first match
        assert process.poll() is None
    first = time.monotonic() - begin
    end = ended(process)
    assert end.code == 0, end.err
    return at_end(home), first


def losses(home: Path, told: set[str]) -> tuple[int, int]:
    """Return how many acknowledged matches are not stored, and how many are stored twice."""
    found = stored(home)
    return len(told - set(found)), len(found) - len(set(found))


def kill_runners(folder: Path, kills: int) -> Campaign:
    """Kill runners until so many were killed, and end each tournament that was begun."""
    rng = random.Random(SEED)
    calm, first = undisturbed(folder)
    killed = tournaments = lost = doubled = 0
    acknowledged_before = 0  # kills of runners that had acknowledged a match
    while killed < kills:
        home, words = tournament(folder / str(tournaments))
        told: set[str] = set()
        code = -signal.SIGKILL
        while code != 0:
            process = start(home, words)
            if killed < kills:
                with contextlib.suppress(subprocess.TimeoutExpired):  # a moment of the run
                    process.wait(rng.uniform(0.0, 2.0 * first))
                process.kill()
            end = ended(process)
            assert "Traceback" not in end.err, end.err
            assert left_over(home) == []
            killed += end.code == -signal.SIGKILL
            acknowledged_before += end.code == -signal.SIGKILL and bool(acknowledged(end.err))
            code = end.code
            assert code in (0, -signal.SIGKILL), end.err
            told |= acknowledged(end.err)
            gone, twice = losses(home, told)
            lost, doubled = lost + gone, doubled + twice
        assert at_end(home) == calm
        assert len(stored(home)) == MATCHES
        tournaments += 1
    assert acknowledged_before  # else nothing could have been lost
    return Campaign(killed, tournaments, lost, doubled)


def workers_of(runner: int) -> list[int]:
    """Return the process ids of a runner's workers: the children of its fork server."""
    servers = {pid for pid in descendants(runner) if _parent(pid) == runner and _forks(pid)}
    return [pid for pid in descendants(runner) if _parent(pid) in servers]


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _forks(pid: int) -> bool:
    try:
        return b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def kill_workers(folder: Path, kills: int) -> Campaign:
    """Kill workers of runs that go on, until so many were killed."""
    rng = random.Random(SEED)
    calm, _ = undisturbed(folder)
    killed = tournaments = lost = doubled = 0
    while killed < kills:
        home, words = tournament(folder / str(tournaments))
        told: set[str] = set()
        code = 3
        while code == 3:  # a match that was hit three times is tried again by the next run
            process = start(home, words)
            assert process.stderr is not None
            err = ""
            while process.poll() is None and killed < kills:
                for _ in range(rng.randrange(4)):
                    err += process.stderr.readline()
                time.sleep(rng.uniform(0.0, 0.1))  # a moment of a match
                if found := workers_of(process.pid):
                    os.kill(rng.choice(found), signal.SIGKILL)
                    killed += 1
            end = ended(process)
            err += end.err
            assert "Traceback" not in err, err
            assert left_over(home) == []
            code = end.code
            assert code in (0, 3), err
            told |= acknowledged(err)
            gone, twice = losses(home, told)
            lost, doubled = lost + gone, doubled + twice
        assert at_end(home) == calm
        tournaments += 1
    return Campaign(killed, tournaments, lost, doubled)


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(20, marks=pytest.mark.slow),
        pytest.param(200, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
def test_killed_runners(kills: int, tmp_path: Path) -> None:
    """No acknowledged result is lost, none is counted twice, and the end is the undisturbed one."""
    since = time.monotonic()
    found = kill_runners(tmp_path, kills)
    report("runners", found, since)
    assert found.kills >= kills
    assert (found.lost, found.doubled) == (0, 0)


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(10, marks=pytest.mark.slow),
        pytest.param(100, marks=[pytest.mark.nightly, pytest.mark.timeout(3600)]),
    ],
)
def test_killed_workers(kills: int, tmp_path: Path) -> None:
    """The same for workers, whose matches are void and played again."""
    since = time.monotonic()
    found = kill_workers(tmp_path, kills)
    report("workers", found, since)
    assert found.kills >= kills
    assert (found.lost, found.doubled) == (0, 0)
