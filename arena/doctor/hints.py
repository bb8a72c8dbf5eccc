"""What makes times uneven or failures slow: settings of the processor, memory, and limits."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from pathlib import Path

from arena.doctor.finding import Finding, State
from arena.doctor.system import read_text

__all__ = ["files_needed", "hint_findings"]

BASE_FILES = 64
FILES_A_WORKER = 16
BOTS_A_MATCH = 2
MEMORY_A_BOT = 1 << 30
SLOW_CLOCKS = ("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies")
SAVING = ("powersave", "conservative", "ondemand")


def hint_findings(workers: int, root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return hints for so many workers; ``/proc`` and ``/sys`` are looked for in ``root``."""
    return (
        _evenness(root),
        _clock(root),
        _memory(root, workers),
        _crashes(root),
        _files(workers, resource.getrlimit(resource.RLIMIT_NOFILE)),
    )


def files_needed(workers: int) -> int:
    """Return how many descriptors a runner may have open with so many workers."""
    return BASE_FILES + FILES_A_WORKER * workers


def _evenness(root: Path) -> Finding:
    """Look for what makes one and the same work take different times."""
    cpu = root / "sys/devices/system/cpu"
    governor = read_text(cpu / "cpu0/cpufreq/scaling_governor")
    turbo = read_text(cpu / "intel_pstate/no_turbo") == "0" or (
        read_text(cpu / "cpufreq/boost") == "1"
    )
    threads = read_text(cpu / "smt/active") == "1"
    huge = "[always]" in read_text(root / "sys/kernel/mm/transparent_hugepage/enabled")
    seen = []
    if governor in SAVING:
        seen.append((f"the governor is {governor}", "cpupower frequency-set -g performance"))
    if turbo:
        seen.append(
            (
                "turbo is on",
                "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, "
                "or echo 0 > /sys/devices/system/cpu/cpufreq/boost",
            )
        )
    if threads:
        seen.append(
            (
                "two threads share a core",
                "no more workers than half of the cores seen, "
                "or echo off > /sys/devices/system/cpu/smt/control",
            )
        )
    if huge:
        seen.append(
            (
                "huge pages come unasked",
                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
            )
        )
    data = {"governor": governor, "turbo": turbo, "smt": threads, "huge_pages_always": huge}
    if not seen:
        return Finding("even times", State.GREEN, "nothing seen that disturbs them", data=data)
    what = "; ".join(what for what, _ in seen)
    return Finding(
        "even times",
        State.YELLOW,
        what,
        "\n".join(["for exact comparisons, as root:", *(f"  {remedy}" for _, remedy in seen)]),
        data,
    )


def _clock(root: Path) -> Finding:
    folder = root / "sys/devices/system/clocksource/clocksource0"
    source = read_text(folder / "current_clocksource")
    data = {
        "source": source,
        "available": read_text(folder / "available_clocksource").split(),
    }
    if source in SLOW_CLOCKS:
        return Finding(
            "clock source",
            State.YELLOW,
            f"{source}: reading the time is slow",
            "boot with clocksource=tsc, if the processor's counter is steady",
            data,
        )
    return Finding("clock source", State.GREEN, source or "unknown", data=data)


def _memory(root: Path, workers: int) -> Finding:
    lines = read_text(root / "proc/meminfo").splitlines()
    kilobytes = {line.partition(":")[0]: line.split()[1] for line in lines if len(line.split()) > 1}
    free, swap = (int(kilobytes.get(name, "0")) << 10 for name in ("MemAvailable", "SwapTotal"))
    wanted = workers * BOTS_A_MATCH * MEMORY_A_BOT
    data = {"available_bytes": free, "swap_bytes": swap, "wanted_bytes": wanted}
    what = f"{_gib(free)} free"
    remedies = []
    if free < wanted:
        what += f", less than {workers * BOTS_A_MATCH} bots of 1 GiB may use"
        share = max(1, free // (workers * BOTS_A_MATCH) >> 20)
        remedies.append(f"write memory: {share}MiB into tournament files, or use fewer workers")
    if swap:
        what += f"; {_gib(swap)} of swap"
        remedies.append("as root: swapoff -a, or a bot may be slow because it was swapped out")
    state = State.YELLOW if remedies else State.GREEN
    return Finding("memory", state, what, "\n".join(remedies), data)


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"


def _crashes(root: Path) -> Finding:
    pattern = read_text(root / "proc/sys/kernel/core_pattern")
    data = {"core_pattern": pattern}
    if not pattern.startswith("|"):
        return Finding("crashes", State.GREEN, "cost nothing extra", data=data)
    return Finding(
        "crashes",
        State.YELLOW,
        f"each is handed to {pattern[1:].split()[0] if pattern[1:].split() else 'a program'}, "
        "which takes a while",
        "as root, while bots that crash play: sysctl kernel.core_pattern=core",
        data,
    )


def _files(workers: int, limits: tuple[int, int]) -> Finding:
    soft, hard = limits
    needed = files_needed(workers)
    data: Mapping[str, object] = {"soft": soft, "hard": hard, "needed": needed}
    unlimited = soft == resource.RLIM_INFINITY
    what = "any number" if unlimited else f"{soft} may be open, {needed} may be needed"
    if unlimited or soft >= needed:
        return Finding("open files", State.GREEN, what, data=data)
    state = State.RED if soft < files_needed(1) else State.YELLOW
    return Finding("open files", state, what, f"ulimit -n {needed}", data)
