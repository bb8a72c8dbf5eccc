"""A store that is deleted or replaced while a tournament runs ends the run; nothing plays on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.arena_command import tournament
from support.running import Running


@pytest.mark.slow
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_in_the_midst_of_matches(tmp_path: Path, how: str) -> None:
    """Some matches are stored; then the file goes, and the run says so with exit code 3."""
    home = tmp_path / "home"
    keys = {"clock": "{move: 100s}", "sandbox": "none", "workers": 2}
    file = tournament(tmp_path, rounds=500, seed=3, **keys)
    run = Running(home, "run", file, "--verbose")
    run.until(times=3)
    if how == "deleted":
        (home / "arena.db").unlink()
    else:
        shutil.copy(home / "arena.db", home / "copy")
        (home / "copy").rename(home / "arena.db")
    assert run.end() == 3, run.said
    assert run.last.startswith(f"arena: the store {home / 'arena.db'} ")
    assert ("replaced" if how == "replaced" else "disappeared") in run.last
