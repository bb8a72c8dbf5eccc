"""Nothing of the folder that a command is typed in is imported: bots may well lie there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import environment

pytestmark = pytest.mark.slow

TRAPS = ("random", "json", "logging", "selectors", "signal", "threading", "arena", "engines")
WORDS = ("run", "--game", "leaves", "--bots", "random,greedy", "--rounds", "1", "--quiet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with programs that are called as modules are; each tells that it ran."""
    place = tmp_path / "bots"
    place.mkdir()
    for name in TRAPS:
        text = f"open({str(place / name)!r}, 'w').close()\nraise SystemExit('imported {name}')\n"
        (place / f"{name}.py").write_text(text)
    return place


def arena(folder: Path, home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Type a command there: the installed one, as ``python -m`` looks there by itself."""
    script = Path(sys.executable).with_name("arena")
    return subprocess.run(
        [script, *map(str, words)],
        cwd=folder,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def imported(folder: Path) -> list[str]:
    return [name for name in TRAPS if (folder / name).exists()]


def test_run_imports_nothing_of_current_folder(folder: Path, tmp_path: Path) -> None:
    """A run imports no module of the current folder, neither in its fork server nor its workers."""
    done = arena(folder, tmp_path / "home", *WORDS, "--sandbox", "none")
    assert (done.returncode, imported(folder)) == (0, []), done.stderr


def test_cluster_imports_nothing_of_current_folder(folder: Path, tmp_path: Path) -> None:
    """A run with ``--cluster`` imports no module of the current folder."""
    done = arena(folder, tmp_path / "home", *WORDS, "--cluster", "local:1")
    assert (done.returncode, imported(folder)) == (0, []), done.stderr


def test_play_imports_nothing_of_current_folder(folder: Path, tmp_path: Path) -> None:
    """``arena play`` imports no module of the current folder."""
    words = ("play", "leaves", "greedy", "random", "--seed", 1, "--sandbox", "none")
    done = arena(folder, tmp_path / "home", *words)
    assert (done.returncode, imported(folder)) == (0, []), done.stderr
