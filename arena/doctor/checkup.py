"""A whole look at this machine: everything the doctor knows, in the order a person reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from arena.doctor.dead_runs import leftover_finding
from arena.doctor.disk import disk_finding
from arena.doctor.finding import Finding
from arena.doctor.groups import group_finding
from arena.doctor.levels import level_findings, strongest
from arena.doctor.system import system_findings
from arena.doctor.timing import (
    clock_finding,
    measure_lateness,
    percentile,
    recommended_workers,
    sensible_move_ms,
    timers_finding,
    workers_finding,
)
from arena.doctor.toolchains import toolchain_finding
from arena.isolation.choose import problem_with
from arena.isolation.probes import showing_reads
from arena.machine.cores import usable_cores
from arena.process.languages import all_languages
from arena.process.leftovers import find_leftovers
from arena.process.leftovers import sweep as sweep_leftovers
from arena.process.meter import schedstat_works
from arena.sandbox import LEVELS, find_level
from arena.values.arguments import PathLike, path_of


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was found about a machine.

    Attributes:
        findings: one a topic, in the order a person reads them.
        level: the isolation level that ``auto`` takes.
        workers: how many workers are recommended.
        move_ms: the smallest sensible move time, in ms.
    """

    findings: tuple[Finding, ...]
    level: str
    workers: int
    move_ms: int

    @property
    def isolates(self) -> bool:
        """Whether that level is fit for untrusted bots."""
        return find_level(self.level).isolates

    @property
    def ok(self) -> bool:
        """Whether untrusted bots can be isolated here and nothing must be fixed."""
        return self.isolates and not any(one.red for one in self.findings)

    def summary(self) -> str:
        """Say in a sentence what this machine is good for."""
        red = [one.topic for one in self.findings if one.red]
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
    swept = sweep_leftovers(home) if sweep else None
    problems = {name: problem_with(name) for name in LEVELS}
    level = strongest(problems)
    late, cores = measure_lateness(), usable_cores()
    workers, move_ms = recommended_workers(cores, load), sensible_move_ms(percentile(late, 0.99))
    findings = (
        *system_findings(),
        group_finding(),
        *level_findings(problems, showing_reads() if problems["landlock"] is None else ()),
        clock_finding(schedstat_works()),
        timers_finding(late, move_ms),
        workers_finding(workers, cores, load, len(os.sched_getaffinity(0))),
        disk_finding(home),
        *(toolchain_finding(language, level) for language in all_languages()),
        leftover_finding(find_leftovers(home), swept),
    )
    return Checkup(findings, level, workers, move_ms)
