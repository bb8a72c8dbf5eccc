"""What makes times uneven or failures slow: settings of the processor, memory, and limits."""

from __future__ import annotations

import re
import resource
from pathlib import Path

from arena.doctor.finding import Finding, State
from arena.doctor.system import read_text

__all__ = ["files_needed", "hint_findings"]

BASE_FILES = 64
FILES_A_WORKER = 16
BOTS_A_MATCH = 2
MEMORY_A_BOT = 1 << 30
_CPU = "sys/devices/system/cpu"
_TURBO = f"{_CPU}/intel_pstate/no_turbo"
_HUGE_PAGES = "sys/kernel/mm/transparent_hugepage/enabled"

# a file of the kernel, what it says where times are uneven, what that means, and what helps
DISTURBERS = (
    (
        f"{_CPU}/cpu0/cpufreq/scaling_governor",
        "powersave|conservative|ondemand",
        "the governor is {}",
        "cpupower frequency-set -g performance",
    ),
    (_TURBO, "0", "turbo is on", f"echo 1 > /{_TURBO}"),
    (f"{_CPU}/cpufreq/boost", "1", "turbo is on", f"echo 0 > /{_CPU}/cpufreq/boost"),
    (
        f"{_CPU}/smt/active",
        "1",
        "two threads share a core",
        f"no more workers than half of the cores seen, or echo off > /{_CPU}/smt/control",
    ),
    (_HUGE_PAGES, r".*\[always\].*", "huge pages come unasked", f"echo madvise > /{_HUGE_PAGES}"),
    (
        "sys/devices/system/clocksource/clocksource0/current_clocksource",
        "hpet|acpi_pm|pit|jiffies|refined-jiffies",
        "the clock source is {}, which is slow to read",
        "boot with clocksource=tsc, if the processor's counter is steady",
    ),
    (
        "proc/sys/kernel/core_pattern",
        r"\|.*",
        "each crash is handed to {}, which takes a while",
        "while bots that crash play: sysctl kernel.core_pattern=core",
    ),
)


def hint_findings(workers: int, root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return hints for so many workers; ``/proc`` and ``/sys`` are looked for in ``root``."""
    files = _files(workers, resource.getrlimit(resource.RLIMIT_NOFILE))
    return (_evenness(root), _memory(root, workers), files)


def files_needed(workers: int) -> int:
    """Return how many descriptors a runner may have open with so many workers."""
    return BASE_FILES + FILES_A_WORKER * workers


def _evenness(root: Path) -> Finding:
    """Look for what makes one and the same work take different times."""
    said = {name: read_text(root / name) for name, *_ in DISTURBERS}
    seen = [
        (what.format(said[name].lstrip("|").partition(" ")[0]), remedy)
        for name, disturbs, what, remedy in DISTURBERS
        if re.fullmatch(disturbs, said[name])
    ]
    if not seen:
        return Finding("even times", State.GREEN, "nothing seen that disturbs them", data=said)
    what = "; ".join(what for what, _ in seen)
    remedies = ["for exact comparisons, as root:", *(f"  {remedy}" for _, remedy in seen)]
    return Finding("even times", State.YELLOW, what, "\n".join(remedies), said)


def _memory(root: Path, workers: int) -> Finding:
    lines = read_text(root / "proc/meminfo").splitlines()
    kilobytes = {line.partition(":")[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    free, swap = (int(kilobytes.get(name, "0")) << 10 for name in ("MemAvailable", "SwapTotal"))
    bots = workers * BOTS_A_MATCH
    data = {"available_bytes": free, "swap_bytes": swap, "wanted_bytes": bots * MEMORY_A_BOT}
    what, remedies = f"{_gib(free)} free", []
    if free < bots * MEMORY_A_BOT:
        what += f", less than {bots} bots of 1 GiB may use"
        share = max(1, free // bots >> 20)
        remedies.append(f"write memory: {share}MiB into tournament files, or use fewer workers")
    if swap:
        what += f"; {_gib(swap)} of swap"
        remedies.append("as root: swapoff -a, or a bot may be slow because it was swapped out")
    state = State.YELLOW if remedies else State.GREEN
    return Finding("memory", state, what, "\n".join(remedies), data)


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"


def _files(workers: int, limits: tuple[int, int]) -> Finding:
    soft, hard = limits
    needed = files_needed(workers)
    data = {"soft": soft, "hard": hard, "needed": needed}
    if soft == resource.RLIM_INFINITY:
        return Finding("open files", State.GREEN, "any number", data=data)
    what = f"{soft} may be open, {needed} may be needed"
    if soft >= needed:
        return Finding("open files", State.GREEN, what, data=data)
    state = State.RED if soft < files_needed(1) else State.YELLOW
    return Finding("open files", state, what, f"ulimit -n {needed}", data)
