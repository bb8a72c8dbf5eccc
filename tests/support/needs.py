"""What a test needs of the machine; without it the test is skipped, with the reason."""

from __future__ import annotations

from functools import cache

import pytest

from arena.bots.probe import probe_language
from arena.bots.program import search_path
from arena.process.languages import find_language
from arena.process.languages.interface import find_tool, missing_tool
from arena.session.choose import problem_with

__all__ = ["toolchain", "working"]


def working(level: str) -> str:
    """Return a level of isolation, if it works here."""
    problem = problem_with(level)
    if problem is not None:
        pytest.skip(f"{level}: {problem.reason}")
    return level


def toolchain(language: str) -> str:
    """Return a language, if what builds and starts it is here."""
    if missing := _missing(language):
        pytest.skip(missing)
    return language


@cache
def _missing(name: str) -> str | None:
    language = find_language(name)
    if find_tool(language, search_path()) is None:
        return f"{name} {missing_tool(language)}"
    problem = probe_language(language)
    if problem is not None and "rustup" in problem.reason:
        return "rustup is here without a toolchain"
    return None
