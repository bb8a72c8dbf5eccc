"""The benchmarks' own game, by its rules, as a plug-in that is not installed."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from support.ran import PYTHON, printed

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_it_keeps_the_promises_of_an_engine() -> None:
    """``arena conformance`` has nothing against it, where its folder is on the path."""
    paths = os.pathsep.join([str(ROOT / "benchmarks" / "plugins"), str(ROOT)])
    said = printed(PYTHON, "-m", "arena", "conformance", "sixty", env={"PYTHONPATH": paths})
    assert said == "sixty keeps its promises\n"


def test_it_does_not_travel_in_the_wheel() -> None:
    """The wheel takes nothing of the benchmarks."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    taken = [*wheel["packages"], *wheel["force-include"]]
    assert not [path for path in taken if path.startswith("benchmarks")]
    assert set(wheel) == {"packages", "force-include"}
    assert "force-include" not in build
