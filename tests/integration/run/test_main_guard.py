"""A program runs a tournament with a main guard or without one."""

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
UNGUARDED = f"""{START}
print("played", arena.run_tournament(tournament, "home").played)
"""
GUARDED = f"""{START}
if __name__ == "__main__":
    print("played", arena.run_tournament(tournament, "home").played)
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


@pytest.mark.parametrize("text", [GUARDED, UNGUARDED], ids=["guarded", "unguarded"])
def test_a_program_plays_once(text: str, tmp_path: Path) -> None:
    """No worker imports it, so it needs no guard, nor starts its tournament again in each."""
    done = start(tmp_path, text)
    assert done.stdout == "played 4\n", done.stderr
    assert done.stderr.count("Traceback") == 0


def test_a_program_from_standard_input(tmp_path: Path) -> None:
    """It has no file at all."""
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
