"""Which isolation level is used: the one that was named, or the strongest that works here."""

from __future__ import annotations

from arena.isolation.probes import probe
from arena.sandbox import AUTO, LEVELS, LevelProblem
from arena.values.errors import MachineLacks, UsageError

_known: dict[str, LevelProblem | None] = {}  # levels that were probed


def problem_with(name: str) -> LevelProblem | None:
    """Probe a level once; ``None`` if it works on this machine.

    Where the probe itself lacked something, the level is probed again when it is asked for again.
    """
    if name not in _known:
        problem = probe(name)
        if problem is not None and problem.lack is not None:
            return problem
        _known[name] = problem
    return _known[name]


def _fails(name: str) -> LevelProblem | None:
    """Return what is wrong with a level; raise ``MachineLacks`` if that cannot be known now."""
    problem = problem_with(name)
    if problem is not None and problem.lack is not None:
        raise MachineLacks(
            f'the isolation "{name}" could not be tried: {problem.reason}', problem.lack
        )
    return problem


def choose_level(wanted: str = AUTO) -> str:
    """Return the level to run at: the strongest that works, or the one that a person names.

    The latter is taken or refused, never weakened.

    Raises:
        UsageError: the level does not work on this machine; the message says why and what to do.
        MachineLacks: that could not be found out.
        MatchVoid: likewise, as what starts bots was killed.
    """
    if wanted == AUTO:
        return next(name for name in LEVELS if not _fails(name))
    problem = _fails(wanted)
    if problem is not None:
        raise UsageError(
            f'bots cannot be isolated by "{wanted}" on this machine: {problem.reason}\n'
            f"{problem.remedy}"
        )
    return wanted
