"""The benchmarks' own game, by its rules, as a plug-in that is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.plugins.sixty import Sixty
from engines import State

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("game", ["sixty"])
def test_it_keeps_the_promises_of_an_engine(game: str) -> None:
    """``arena conformance`` has nothing against it, where its folder is on the path."""
    paths = os.pathsep.join([str(ROOT / "benchmarks" / "plugins"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "arena", "conformance", game],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{game} keeps its promises\n"), done.stderr


def test_sixty_decisions_and_no_winner() -> None:
    """Six columns of ten: the last stone ends it, whatever was played before."""
    state: State = Sixty().new_initial_state("10,10,10,10,10,8 0")
    assert state.legal_actions(0) == ("f",)
    state = state.apply_action(0, "f").apply_action(1, "f")
    assert state.players_to_act() == ()
    assert state.ranks() == (1, 1)
    full = Sixty().new_initial_state()
    for number in range(60):
        full = full.apply_action(number % 2, "abcdef"[number // 10])
    assert full == state


def test_it_does_not_travel_in_the_wheel() -> None:
    """The wheel takes ``arena``, ``engines``, bots and rules, and nothing of the benchmarks."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    taken = [*wheel["packages"], *wheel["force-include"]]
    assert sorted(taken) == ["arena", "bots", "docs/rules", "engines"]
    assert set(wheel) == {"packages", "force-include"}
    assert "force-include" not in build
