"""A store that is deleted or replaced while a tournament runs ends the run; nothing plays on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.arena_command import arena, output
from support.running import Running

TOURNAMENT = """\
name: gone
game: leaves
rounds: 500
seed: 3
bots: [random, %s]
clock: {move: 100s}
sandbox: none
workers: 2
"""


def started(home: Path, bot: str) -> Running:
    """Start a long run of one bot against ``random``."""
    home.mkdir()
    file = home.parent / "gone.yaml"
    file.write_text(TOURNAMENT % bot)
    return Running(home, "run", file, "--verbose")


@pytest.mark.parametrize(
    "how", ["deleted", pytest.param("whole home", marks=pytest.mark.slow), "replaced"]
)
def test_in_the_midst_of_matches(tmp_path: Path, how: str) -> None:
    """Some matches are stored; then the file goes, and the run says so with exit code 3."""
    home = tmp_path / "home"
    run = started(home, "greedy")
    run.until(times=3)
    if how == "deleted":
        (home / "arena.db").unlink()
    elif how == "whole home":
        shutil.rmtree(home)
    else:
        shutil.copy(home / "arena.db", home / "copy")
        (home / "copy").rename(home / "arena.db")
    assert run.end() == 3, run.said
    assert run.last.startswith(f"arena: the store {home / 'arena.db'} ")
    assert ("replaced" if how == "replaced" else "disappeared") in run.last


@pytest.mark.slow
def test_the_same_command_starts_anew(tmp_path: Path) -> None:
    """A store that was deleted between runs is no error: there is nothing to go on with."""
    file = tmp_path / "t.yaml"
    file.write_text("{name: t, game: leaves, bots: [random, greedy], seed: 1, sandbox: none}")
    board = output(tmp_path / "home", "run", file)
    for path in (tmp_path / "home").glob("arena.db*"):
        path.unlink()
    done = arena(tmp_path / "home", "run", file)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == board.splitlines()[1:]
