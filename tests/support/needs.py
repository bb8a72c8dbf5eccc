"""What a test needs of the machine; without it the test is skipped, with the reason."""

from __future__ import annotations

import os
import pty
import shutil
from functools import cache

import pytest

from arena.bots.probe import probe_language
from arena.isolation import choose
from arena.process.languages import find_language
from arena.process.languages.interface import find_tool, missing_tool
from arena.sandbox import LevelProblem


def working(level: str) -> str:
    """Return a level of isolation, if it works here."""
    problem = choose.problem_with(level)
    if problem is not None:
        pytest.skip(f"{level}: {problem.reason}")
    return level


def only_these_work(monkeypatch: pytest.MonkeyPatch, *levels: str) -> None:
    """Pretend that only these levels work."""

    def problem(name: str) -> LevelProblem | None:
        return None if name in levels else LevelProblem(f"no {name} here", f"install {name}")

    monkeypatch.setattr(choose, "problem_with", problem)
    monkeypatch.setattr("arena.bots.isolation.problem_with", problem)


def root(what: str) -> None:
    """Skip the test unless it runs as root, since only root can do this."""
    if os.geteuid() != 0:
        pytest.skip(f"only root can {what}")


def toolchain(language: str) -> str:
    """Return a language, if what builds and starts it is here."""
    if missing := _missing(language):
        pytest.skip(missing)
    return language


def tool(name: str, path: str | None = None) -> str:
    """Return where a program of the system lies, on ``$PATH`` or another one, if it is here."""
    found = shutil.which(name, path=path)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def pseudo_terminal() -> tuple[int, int]:
    """Return the two ends of a pseudo-terminal, ours first, if one can be made here."""
    try:
        return pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal can be made here: {error}")


@cache
def _missing(name: str) -> str | None:
    language = find_language(name)
    if find_tool(language) is None:
        return f"{name} {missing_tool(language)}"
    problem = probe_language(language)
    if problem is not None and "rustup" in problem.reason:
        return "rustup is here without a toolchain"
    return None
