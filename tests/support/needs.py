"""What a test needs of the machine; without it the test is skipped, with the reason."""

from __future__ import annotations

import pytest

from arena.session.choose import problem_with

__all__ = ["working"]


def working(level: str) -> str:
    """Return a level of isolation, if it works here."""
    problem = problem_with(level)
    if problem is not None:
        pytest.skip(f"{level}: {problem.reason}")
    return level
