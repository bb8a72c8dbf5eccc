"""The line a minute that a run writes where there is no terminal."""

from __future__ import annotations

from arena.run.runner import Progress
from arena.stats.strength import SequentialTest
from arena.terminal.output import SoFar


def test_progress_line_has_speed_and_rest() -> None:
    """After 30 matches in 60 s the line says 30 a minute, and 2 minutes for 60 more."""
    now = [1000.0]
    line = SoFar(10, lambda: now[0]).line
    assert line(Progress(11, 100)) == ""
    now[0] += 60
    found = line(Progress(40, 100))
    assert all(word in found for word in ("40 of 100", "30 a minute", "60 left", "2 min 0 s"))
    now[0] += 59
    assert line(Progress(50, 100)) == "", "not yet"
    now[0] += 1
    assert "50 of 100" in line(Progress(50, 100))
    now[0] += 60
    assert "1,600 a minute" in line(Progress(4810, 5000)), "4800 in 180 s"


def test_a_comparison_says_its_answer() -> None:
    """After a minute a comparison says how many matches, how fast, and what they say so far."""
    now = [1000.0]
    line = SoFar(0, lambda: now[0]).line
    answer = SequentialTest().answer()
    assert line(Progress(1, 100, answer=answer)) == ""
    now[0] += 60
    found = line(Progress(8, 100, answer=answer))
    assert found.startswith("arena: 8 matches, 8 a minute: ")
    assert "LOS" in found
