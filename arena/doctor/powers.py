"""What the kernel offers to isolation and clocks: Landlock, seccomp, schedstat."""

from __future__ import annotations

from pathlib import Path

from arena.doctor.finding import Finding, State
from arena.doctor.system import read_text
from arena.sandbox.landlock import abi

__all__ = ["landlock_abi", "power_findings", "what_landlock_lacks"]

# what a version of Landlock brought, and the kernel it came with
LANDLOCK = (
    (1, "files", "5.13"),
    (2, "moving files between folders", "5.19"),
    (3, "truncating files", "6.2"),
    (4, "TCP", "6.7"),
    (5, "device commands", "6.10"),
    (6, "signals and abstract sockets", "6.12"),
)


def power_findings(abi: int, root: Path = Path("/")) -> tuple[Finding, ...]:
    """Return what the kernel offers.

    Args:
        abi: the version of Landlock, 0 if there is none.
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    return (_landlock(abi), _seccomp(root), _schedstat(root))


def landlock_abi() -> int:
    """Return the version of Landlock's interface, 0 if this kernel has none or it is off."""
    try:
        return abi()
    except OSError:
        return 0


def what_landlock_lacks(abi: int) -> tuple[str, ...]:
    """Return what a version of Landlock cannot forbid.

    >>> what_landlock_lacks(4)
    ('device commands (from Linux 6.10)', 'signals and abstract sockets (from Linux 6.12)')
    """
    return tuple(f"{what} (from Linux {kernel})" for since, what, kernel in LANDLOCK if since > abi)


def _landlock(abi: int) -> Finding:
    lacks = what_landlock_lacks(abi)
    data = {"abi": abi, "lacks": list(lacks)}
    if abi == 0:
        return Finding(
            "landlock",
            State.YELLOW,
            "not there",
            'a kernel from 5.13 on has it; add "landlock" to lsm= on its command line if need be',
            data,
        )
    if lacks:
        what = f"version {abi}; it cannot forbid {', '.join(lacks)}"
        return Finding("landlock", State.YELLOW, what, "a newer kernel can", data)
    return Finding("landlock", State.GREEN, f"version {abi}, all that is needed", data=data)


def _seccomp(root: Path) -> Finding:
    actions = read_text(root / "proc/sys/kernel/seccomp/actions_avail").split()
    data = {"actions": actions}
    if "kill_process" in actions and "errno" in actions:
        return Finding("seccomp", State.GREEN, "system calls can be filtered", data=data)
    return Finding(
        "seccomp",
        State.YELLOW,
        "system calls cannot be filtered",
        "a kernel with CONFIG_SECCOMP_FILTER can; levels that need it do not work without",
        data,
    )


def _schedstat(root: Path) -> Finding:
    fields = read_text(root / "proc/self/schedstat").split()
    works = len(fields) == 3 and all(map(str.isdigit, fields)) and fields[0] != "0"
    data = {"works": works}
    if works:
        what = "bots are not charged for time that the machine kept from them"
        return Finding("honest clocks", State.GREEN, what, data=data)
    return Finding(
        "honest clocks",
        State.YELLOW,
        "no schedstat: a bot is charged for all time that passes",
        "leave cores free while a tournament runs, or use a kernel with CONFIG_SCHED_INFO",
        data,
    )
