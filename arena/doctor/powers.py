"""What the kernel offers to isolation and clocks: Landlock, schedstat."""

from __future__ import annotations

from arena.doctor.finding import Finding, State
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


def power_findings(abi: int, *, schedstat: bool) -> tuple[Finding, ...]:
    """Return what the kernel offers.

    Args:
        abi: the version of Landlock, 0 if there is none.
        schedstat: whether it says how long a thread waited for a CPU.
    """
    return (_landlock(abi), _clocks(schedstat))


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
        remedy = (
            'a kernel from 5.13 on has it; add "landlock" to lsm= on its command line if need be'
        )
        return Finding("landlock", State.YELLOW, "not there", remedy, data)
    if lacks:
        what = f"version {abi}; it cannot forbid {', '.join(lacks)}"
        return Finding("landlock", State.YELLOW, what, "a newer kernel can", data)
    return Finding("landlock", State.GREEN, f"version {abi}, all that is needed", data=data)


def _clocks(schedstat: bool) -> Finding:
    data = {"works": schedstat}
    if schedstat:
        what = "bots are not charged for time that the machine kept from them"
        return Finding("honest clocks", State.GREEN, what, data=data)
    what = "no schedstat: a bot is charged for all time that passes"
    remedy = "leave cores free while a tournament runs, or use a kernel with CONFIG_SCHED_INFO"
    return Finding("honest clocks", State.YELLOW, what, remedy, data)
