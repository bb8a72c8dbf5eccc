"""The commands by which sizes are measured do what they say."""

from __future__ import annotations

import pytest
from support.needs import tool

from benchmarks.size import MEASURES


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=pytest.mark.nightly if what == "bundle" else pytest.mark.slow)
        for what in sorted(MEASURES)
    ],
)
def test_each_measure_is_taken(what: str) -> None:
    """Every step has a name of its own and takes some time, with a few bots as with many."""
    if what == "home":
        tool("cc")
    took = list(MEASURES[what](16, 6))
    assert len({step.what for step in took}) == len(took) > 1
    assert all(step.seconds >= 0 for step in took)
