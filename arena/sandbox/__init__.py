"""Isolation levels: how much of this machine an untrusted program can reach."""

from __future__ import annotations

import importlib
from functools import lru_cache

from arena.sandbox.interface import Launch, Level, LevelProblem, Task

__all__ = ["AUTO", "LEVELS", "UNISOLATED", "Launch", "Level", "LevelProblem", "Task", "find_level"]

UNISOLATED = "none"  # the level of what can do whatever you can
LEVELS = ("bwrap", "landlock", "limits", UNISOLATED)  # the strongest first
AUTO = "auto"  # the strongest of them that works


@lru_cache(maxsize=len(LEVELS))
def find_level(name: str) -> Level:
    """Return the level of a name, one of ``LEVELS``."""
    assert name in LEVELS, name
    level: Level = importlib.import_module(f"{__name__}.{name}").LEVEL
    return level
