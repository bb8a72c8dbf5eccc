"""The isolation levels: which work here, why the others do not, and which one is taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from arena.doctor.finding import Finding
from arena.sandbox import LEVELS, LevelProblem, find_level


def strongest(problems: Mapping[str, LevelProblem | None]) -> str:
    """Return the level that ``auto`` takes: the strongest without a problem."""
    return next(name for name in LEVELS if problems[name] is None)


def level_findings(
    problems: Mapping[str, LevelProblem | None], reads: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return what there is to say of each level, the strongest first, then of their best.

    Args:
        problems: what the probe of each level found, ``None`` where it works.
        reads: the places whose files show when they were read, at landlock.
    """
    levels = [_level(name, problems[name], reads if name == "landlock" else ()) for name in LEVELS]
    return (*levels, _best(problems))


def _level(name: str, problem: LevelProblem | None, reads: Collection[str]) -> Finding:
    topic, level = f"level {name}", find_level(name)
    data: dict[str, object] = {"level": name, "works": problem is None, "isolates": level.isolates}
    if problem is not None:
        data["reason"] = problem.reason
        return Finding(topic, f"does not work: {problem.reason}", data, problem.remedy)
    what, remedy = f"works: {level.promise}", ""
    if reads:
        what += f"; bots can leave notes in times of access: {' '.join(reads)}"
        data["reads"], remedy = [*reads], "make bwrap work, or mount the named places with noatime"
    return Finding(topic, what, data, remedy)


def _best(problems: Mapping[str, LevelProblem | None]) -> Finding:
    name, best = strongest(problems), problems[LEVELS[0]]
    isolates = find_level(name).isolates
    data, what = {"auto": name, "isolates": isolates}, f"auto takes {name}"
    if best is None:
        return Finding("isolation", what, data)
    if isolates:
        what += f", which is weaker than {LEVELS[0]}"
        return Finding("isolation", what, data, best.remedy)
    what += ": untrusted bots cannot be isolated"
    levels = " and ".join(name for name in LEVELS if find_level(name).isolates)
    remedy = f"make one of the levels {levels} work, best {LEVELS[0]}: {best.remedy}"
    return Finding("isolation", what, data, remedy, red=True)
