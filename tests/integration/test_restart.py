"""Everything of a run is killed at one instant, and the same command is given again at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.arena_command import output
from support.running import Running

from arena.session.choose import problem_with

TOURNAMENT = """\
name: again
game: leaves
rounds: 2000
seed: 3
sandbox: {level}
workers: 4
bots: [random, greedy, random-awk]
"""
PLAYED = 3  # matches that a run stores before it is killed


@pytest.mark.slow
@pytest.mark.parametrize("level", ["landlock", "limits"])
def test_killed_and_started_again_at_once(level: str, tmp_path: Path) -> None:
    """Whatever the killed run left behind, the next one plays."""
    killed_and_started_again(level, tmp_path, 5)


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("level", ["landlock", "limits"])
def test_killed_and_started_again_thirty_times(level: str, tmp_path: Path) -> None:
    """The same, thirty times."""
    killed_and_started_again(level, tmp_path, 30)


def killed_and_started_again(level: str, folder: Path, times: int) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root's bots have users of their own, which something may be left under")
    problem = problem_with(level)
    assert problem is None, f"{level}: {problem.reason}" if problem else ""
    file, home = folder / "again.yaml", folder / "home"
    file.write_text(TOURNAMENT.format(level=level))
    refused = [code for _ in range(times) if (code := _played_and_killed(file, home)) is not None]
    print(f"{level}: {len(refused)} of {times} starts ended by themselves: {refused}")
    assert refused == []
    assert output(home, "verify").endswith("all right\n")


def _played_and_killed(file: Path, home: Path) -> int | None:
    """Start a run and kill all of it once it has played; its exit code if it ended before."""
    run = Running(home, "run", file, "--verbose")
    try:
        run.until(times=PLAYED)
    except AssertionError:
        return run.end()
    run.kill()
    return None
