"""The isolation levels: which work here, why the others do not, and which one is taken."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping

from arena.doctor.finding import Finding, State
from arena.sandbox import LEVELS, Problem, find_level

__all__ = ["bubblewrap_finding", "isolates", "level_findings", "strongest", "version_of"]

# an option of bubblewrap, and what is weaker without it
USED = {
    "--json-status-fd": "a bot that could not be isolated looks like one that failed",
    "--size": "a bot may fill the memory with files",
    "--disable-userns": "a bot may make user namespaces of its own",
}


def strongest(problems: Mapping[str, Problem | None]) -> str:
    """Return the level that ``auto`` takes: the strongest without a problem."""
    return next(name for name in LEVELS if problems[name] is None)


def isolates(problems: Mapping[str, Problem | None]) -> bool:
    """Return whether untrusted bots can be isolated."""
    return find_level(strongest(problems)).isolates


def level_findings(problems: Mapping[str, Problem | None]) -> tuple[Finding, ...]:
    """Return what there is to say of each level, the strongest first, then of their best.

    Args:
        problems: what the probe of each level found, ``None`` where it works.
    """
    return (*(_level(name, problems[name]) for name in LEVELS), _best(problems))


def _level(name: str, problem: Problem | None) -> Finding:
    topic, level = f"level {name}", find_level(name)
    data = {"level": name, "works": problem is None, "isolates": level.isolates}
    if problem is None:
        return Finding(topic, State.GREEN, f"works: {level.promise}", data=data)
    what = f"does not work: {problem.reason}"
    return Finding(topic, State.YELLOW, what, problem.remedy, {**data, "reason": problem.reason})


def _best(problems: Mapping[str, Problem | None]) -> Finding:
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
    remedy = f"have one of the levels {levels} work, best {LEVELS[0]}: {best.remedy}"
    return Finding("isolation", State.RED, what, remedy, data)


def bubblewrap_finding(tool: str | None, version: str, options: frozenset[str]) -> Finding:
    """Return what there is to say of bubblewrap itself.

    Args:
        tool: its path, ``None`` if it is not installed.
        version: what it says of its version.
        options: the options it knows, such as ``--size``.
    """
    data = {"path": tool or "", "version": version, **{o: o in options for o in USED}}
    if tool is None:
        remedy = "apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap"
        return Finding("bubblewrap", State.YELLOW, "not installed", remedy, data)
    what = f"{version}, {tool}"
    lacks = [option for option in USED if option not in options]
    if not lacks:
        return Finding("bubblewrap", State.GREEN, what, data=data)
    what += f"; it lacks {', '.join(lacks)}"
    weaker = "; ".join(f"without {option} {USED[option]}" for option in lacks)
    remedy = f"install version 0.8 or newer; {weaker}"
    return Finding("bubblewrap", State.YELLOW, what, remedy, data)


def version_of(tool: str | None) -> str:
    """Return what bubblewrap says of its version, such as ``0.8.0``; empty if there is none."""
    if tool is None:
        return ""
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip().rpartition(" ")[2]
