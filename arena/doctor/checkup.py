"""A whole look at this machine: everything the doctor knows, in the order a person reads it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from arena.arguments import PathLike, path_of
from arena.doctor.attacks import attack_finding, attack_level
from arena.doctor.costs import PLAIN, cost_finding, plain, start_ms, trip_finding, trip_us
from arena.doctor.disk import disk_findings
from arena.doctor.finding import Finding, State
from arena.doctor.groups import group_finding
from arena.doctor.hints import hint_findings
from arena.doctor.killing import kill_at, kill_finding
from arena.doctor.levels import bubblewrap_finding, isolates, level_findings, strongest, version_of
from arena.doctor.powers import landlock_abi, power_findings
from arena.doctor.remains import leftover_finding
from arena.doctor.system import system_findings
from arena.doctor.timing import measure_lateness, timing_findings, usable_cores
from arena.doctor.toolchains import toolchain_findings
from arena.process.bot import LaunchError
from arena.process.languages import all_languages
from arena.process.leftovers import find_leftovers
from arena.process.leftovers import sweep as sweep_leftovers
from arena.sandbox import LEVELS, Launch, Problem, Task, find_level
from arena.sandbox.bwrap import features, find_bwrap
from arena.sandbox.cgroups import use_own_group
from arena.session.choose import problem_with
from arena.session.launch import launch_in_group

__all__ = ["Checkup", "doctor"]


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was found about a machine.

    Attributes:
        findings: one a topic, in the order a person reads them.
        level: the isolation level that ``auto`` takes.
        isolates: is that fit for untrusted bots?
        workers: how many workers are recommended.
        move_ms: the smallest sensible move time, in ms.
    """

    findings: tuple[Finding, ...]
    level: str
    isolates: bool
    workers: int
    move_ms: int

    @property
    def ok(self) -> bool:
        """Return whether untrusted bots can be isolated here and nothing must be fixed."""
        return self.isolates and all(one.state is not State.RED for one in self.findings)

    def summary(self) -> str:
        """Say in a sentence what this machine is good for."""
        red = [one.topic for one in self.findings if one.state is State.RED]
        if not self.isolates:
            verdict = "Only bots you trust may play here"
        elif red:
            verdict = "Untrusted bots can be isolated, but something must be fixed"
        else:
            verdict = f"Untrusted bots may play here, isolated by {self.level}"
        remedy = f" Red: {', '.join(red)}." if red else ""
        return (
            f"{verdict}; {self.workers} worker{'s' if self.workers != 1 else ''}, "
            f"moves of {self.move_ms} ms or more.{remedy}"
        )


def doctor(home: PathLike, *, sweep: bool = False) -> Checkup:
    """Look at what this machine offers; takes a few seconds, and needs no rights of root.

    Args:
        home: the arena's home, whose disk is looked at; it need not exist.
        sweep: end and remove what dead runs left behind.
    """
    home = path_of(home, "home")
    load = os.getloadavg()[0]  # before we add to it
    use_own_group()  # as a run does
    swept = sweep_leftovers(home) if sweep else None
    problems = {name: problem_with(name) for name in LEVELS}
    tool = find_bwrap()
    timers, workers = timing_findings(measure_lateness(), usable_cores(), load)
    count = _number(workers.data["workers"])
    findings = (
        *system_findings(),
        bubblewrap_finding(tool, version_of(tool), features()),
        *power_findings(landlock_abi()),
        group_finding(),
        *level_findings(problems),
        *_trials(problems),
        timers,
        workers,
        *hint_findings(count),
        *disk_findings(home),
        *toolchain_findings(all_languages(), strongest(problems)),
        leftover_finding(find_leftovers(home), swept),
    )
    return Checkup(
        findings,
        level=strongest(problems),
        isolates=isolates(problems),
        workers=count,
        move_ms=_number(timers.data["move_ms"]),
    )


def _trials(problems: Mapping[str, Problem | None]) -> Iterator[Finding]:
    """Yield what real bots come to at each level that works."""
    working = [find_level(name) for name in LEVELS if problems[name] is None]
    for level in working:
        try:
            yield kill_finding(level, kill_at(level))
        except (OSError, LaunchError) as error:
            yield _untried(f"kills at {level.name}", error)
    for level in working:
        try:
            yield attack_finding(level, attack_level(level))
        except (OSError, LaunchError) as error:
            yield _untried(f"attacks at {level.name}", error)
    launches: dict[str, Callable[[Task], Launch]] = {PLAIN: plain}
    for level in working:
        launches[level.name] = partial(launch_in_group, sandbox=level.name)
    try:
        yield cost_finding({name: start_ms(launch) for name, launch in launches.items()})
        yield trip_finding({name: trip_us(launch) for name, launch in launches.items()})
    except (OSError, LaunchError) as error:
        yield _untried("start of a bot", error)


def _untried(topic: str, error: Exception) -> Finding:
    return Finding(topic, State.RED, f"could not be tried: {error}", "see what the message names")


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
