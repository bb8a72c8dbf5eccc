"""A program that runs a tournament as it is imported is stopped by one error, not by many."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import environment

START = """
import sys
from pathlib import Path
import arena

tournament = arena.read_tournament("cup.yaml")
"""
UNGUARDED = (
    f'{START}\nsummary = arena.run_tournament(tournament, "home")\nprint("played", summary)\n'
)
CAUGHT = f"""{START}
try:
    arena.run_tournament(tournament, home="home")
except arena.ArenaError as error:
    print("caught", error)
"""
GUARDED = f"""{START}
if __name__ == "__main__":
    print("played", arena.run_tournament(tournament, "home").played)
"""
BREAKS = f"""{START}
if __name__ == "__main__":
    arena.run_tournament(tournament, "home")
else:
    raise RuntimeError("not here")
"""
CUP = "name: cup\ngame: leaves\nrounds: 2\nseed: 1\nworkers: 2\nbots: [random, random-sh]\n"


def start(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "cup.yaml").write_text(CUP)
    (folder / "mine.py").write_text(text)
    return subprocess.run(
        [sys.executable, "mine.py"],
        cwd=folder,
        env=environment(folder / "home"),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_one_error_names_the_guard(tmp_path: Path) -> None:
    """Without the guard there is one traceback, whose last line names it; nothing was played."""
    done = start(tmp_path, UNGUARDED)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("Traceback") == 1
    assert 'if __name__ == "__main__":' in done.stderr.splitlines()[-1]


def test_error_can_be_caught(tmp_path: Path) -> None:
    """It is one of the arena's errors; what catches it in every process prints it once."""
    done = start(tmp_path, CAUGHT)
    assert done.returncode == 0
    assert done.stdout.count("caught") == 1
    assert "__main__" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_guarded_program_plays(tmp_path: Path) -> None:
    """With the guard all is played."""
    done = start(tmp_path, GUARDED)
    assert done.stdout == "played 4\n", done.stderr


def test_a_program_from_standard_input(tmp_path: Path) -> None:
    """No worker could import it, nor need one: it plays, guarded or not."""
    (tmp_path / "cup.yaml").write_text(CUP)
    for text in (GUARDED, UNGUARDED):
        done = subprocess.run(
            [sys.executable, "-"],
            input=text,
            cwd=tmp_path,
            env=environment(tmp_path / "home"),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("played ")
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_program_that_workers_cannot_import(tmp_path: Path) -> None:
    """A program that fails when workers import it ends the run at once; no match is void."""
    done = start(tmp_path, BREAKS)
    assert done.returncode == 1
    assert "not here" in done.stderr
    assert "worker" in done.stderr.splitlines()[-1]
    assert "__main__" in done.stderr.splitlines()[-1]
    assert "void" not in done.stderr
    assert done.stderr.count("RuntimeError: not here") <= 2  # once a worker
