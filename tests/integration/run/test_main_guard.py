"""A program runs a tournament without a main guard."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import environment, tournament
from support.ran import PYTHON, ran

TEXT = """
import arena
print("played", arena.run_tournament(arena.read_tournament("cup.yaml"), "home").played)
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", ["mine.py", "-"])
def test_a_program_plays_once(program: str, tmp_path: Path) -> None:
    """No worker imports it, so it needs no guard, and no file; its tournament starts once."""
    tournament(tmp_path, "[random, random-sh]", rounds=2, seed=1, workers=2)
    (tmp_path / "mine.py").write_text(TEXT)
    env = environment(tmp_path / "home")
    done = ran(PYTHON, program, given=TEXT, cwd=tmp_path, env=env)
    assert done.stdout == "played 4\n", done.stderr
    assert "Traceback" not in done.stderr
