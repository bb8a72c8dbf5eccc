"""The isolation levels: which work here, why the others do not, and which one is taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from arena.doctor.finding import Finding, State
from arena.sandbox import LEVELS, LevelProblem, find_level


def strongest(problems: Mapping[str, LevelProblem | None]) -> str:
    """Return the level that ``auto`` takes: the strongest without a problem."""
    return next(name for name in LEVELS if problems[name] is None)


def isolates(problems: Mapping[str, LevelProblem | None]) -> bool:
    """Return whether untrusted bots can be isolated."""
    return find_level(strongest(problems)).isolates


def level_findings(
    problems: Mapping[str, LevelProblem | None], reads: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return what there is to say of each level, the strongest first, then of their best.

    Args:
        problems: what the probe of each level found, ``None`` where it works.
        reads: the places whose files show when they were read, at landlock.
    """
    found = [_level(name, problems[name]) for name in LEVELS]
    if reads and problems["landlock"] is None:
        place = LEVELS.index("landlock")
        found[place] = replace(
            found[place],
            state=State.YELLOW,
            what=f"{found[place].what}; bots can leave notes in times of access: {' '.join(reads)}",
            remedy="make bwrap work, or mount the named places with noatime",
            data={**found[place].data, "reads": [*reads]},
        )
    return (*found, _best(problems))


def _level(name: str, problem: LevelProblem | None) -> Finding:
    topic, level = f"level {name}", find_level(name)
    data = {"level": name, "works": problem is None, "isolates": level.isolates}
    if problem is None:
        return Finding(topic, State.GREEN, f"works: {level.promise}", data=data)
    what = f"does not work: {problem.reason}"
    return Finding(topic, State.YELLOW, what, problem.remedy, {**data, "reason": problem.reason})


def _best(problems: Mapping[str, LevelProblem | None]) -> Finding:
    name, best = strongest(problems), problems[LEVELS[0]]
    data = {"auto": name, "isolates": isolates(problems)}
    what = f"auto takes {name}"
    if best is None:
        return Finding("isolation", State.GREEN, what, data=data)
    if isolates(problems):
        what += f", which is weaker than {LEVELS[0]}"
        return Finding("isolation", State.YELLOW, what, best.remedy, data)
    what += ": untrusted bots cannot be isolated"
    levels = " and ".join(name for name in LEVELS if find_level(name).isolates)
    remedy = f"make one of the levels {levels} work, best {LEVELS[0]}: {best.remedy}"
    return Finding("isolation", State.RED, what, remedy, data)
