"""A tournament on a cluster of this machine: the same table, and nothing that stays behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from support.arena_command import output, process, refused, tournament
from support.dask_hosts import scheduler
from support.running import Running
from support.timeless import without_times
from support.waiting import is_gone, until

from arena.machine.procfs import descendants
from arena.record.record import parse_record

pytestmark = pytest.mark.slow


def written(folder: Path, first: str = "greedy", rounds: int = 4) -> Path:
    keys = {"name": "grove", "rounds": rounds, "seed": 11, "opening": "{plies: 2}"}
    return tournament(folder, f"[{first}, random, random-sh]", **keys)


def run(home: Path, *words: object) -> list[str]:
    """Run a tournament to its end and return its records."""
    done = process(home, "run", *words, "--quiet")
    assert done.returncode == 0, done.stderr
    return output(home, "export").splitlines()


@pytest.mark.nightly
def test_a_killed_coordinator_leaves_nothing_and_goes_on(tmp_path: Path) -> None:
    """The scheduler and all hosts end with it; the same command plays what is missing.

    Its records and leaderboard equal those of a run without a cluster, except for times, host and
    level.
    """
    file = written(tmp_path)
    running = Running(tmp_path / "together", "run", file, "--cluster", "local:2", "--verbose")
    running.until(times=5)
    left = [*descendants(running.process.pid)]  # scheduler, hosts, workers and bots among them
    assert len(left) > 4
    os.kill(running.process.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    until(lambda: all(map(is_gone, left)))
    done = process(tmp_path / "together", "run", file, "--cluster", "local:2")
    assert "came from hosts; arena verify grove proves them" in done.stderr
    assert "all right" in output(tmp_path / "together", "verify", "grove")
    together = run(tmp_path / "together", file, "--cluster", "local:1")  # it is over
    alone = run(tmp_path / "alone", file, "--workers", 1)
    assert len(alone) == 24
    assert [*map(without_times, together)] == [*map(without_times, alone)]
    assert {parse_record(line).host for line in together} == {os.uname().nodename}
    board = ("leaderboard", "--format", "csv")
    assert output(tmp_path / "alone", *board) == output(tmp_path / "together", *board)


def test_a_stranger_does_not_meet_an_open_scheduler(tmp_path: Path) -> None:
    """At a level with a network it is refused before anybody connects; isolated it may play."""
    (tmp_path / "own.py").write_text("print()\n")
    file = written(tmp_path, "{name: own, run: own.py}", 1)
    words = ("run", file, "--cluster", "tcp://127.0.0.1:1", "--sandbox")
    said = refused(tmp_path / "home", *words, "limits")
    assert '"own"' in said
    assert "tls://" in said
    assert process(tmp_path / "home", *words, "auto").returncode == 3


def test_run_without_hosts_waits_until_ctrl_c(tmp_path: Path) -> None:
    """A run on a cluster without hosts says what it waits for, until Ctrl-C."""
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, _):
        words = ("--cluster", address, "--certificates", folder)
        running = Running(tmp_path / "home", "run", written(tmp_path), *words)
        running.until("waiting")
        assert running.stopped() == 130
    assert address in running.said
