"""Which isolation level is used: the one that was named, or the strongest that works here."""

from __future__ import annotations

from functools import lru_cache

from arena.errors import UsageError
from arena.sandbox import AUTO, LEVELS, Problem
from arena.session.probes import probe

__all__ = ["best_level", "problem_with", "settle_level"]


@lru_cache(maxsize=len(LEVELS))
def problem_with(name: str) -> Problem | None:
    """Probe a level once; ``None`` if it works on this machine."""
    return probe(name)


def best_level() -> str:
    """Return the name of the strongest level that works on this machine."""
    return next(name for name in LEVELS if problem_with(name) is None)


def settle_level(wanted: str) -> str:
    """Return the level to run at; a level named by a person is taken or refused, never weakened.

    Raises:
        UsageError: the level does not work on this machine; the message says why and what to do.
    """
    if wanted == AUTO:
        return best_level()
    problem = problem_with(wanted)
    if problem is not None:
        raise UsageError(
            f'bots cannot be isolated by "{wanted}" on this machine: {problem.reason}\n'
            f"{problem.remedy}"
        )
    return wanted
