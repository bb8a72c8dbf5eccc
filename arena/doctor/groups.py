"""Control groups: whether bots get one here, what the kernel does for them then, and the remedy."""

from __future__ import annotations

import os
import re
from contextlib import closing
from pathlib import Path

from arena.doctor.finding import Finding
from arena.machine.procfs import text_of
from arena.process.bot import BotProcess
from arena.sandbox import Launch
from arena.sandbox.cgroups.group import Group
from arena.sandbox.cgroups.own_group import Home, find_home, own_group

TOPIC = "control groups"

MEMORY_BYTES = 1 << 28  # of the trial
PROCESSES = 8


def problem_with_groups(home: Home) -> str | None:
    """Start a program in a group, by the launcher as bots are; return what does not work, if any.

    Everything else that a group does is the kernel's own, and works where that does.
    """
    problem = "no program can be started in a group"
    try:
        with closing(Group(home, MEMORY_BYTES, PROCESSES)) as group:
            bot = BotProcess(Launch(("/bin/true",), {}, "/", group=group))
            grouped = bot.tree.group is not None
            bot.kill()
    except OSError as error:
        return f"{problem}: {error.strerror}"
    return None if grouped else problem


def group_finding(root: Path = Path("/")) -> Finding:
    """Return what control groups do for bots on this machine, by ``/proc`` and ``/sys`` below."""
    folder, home = own_group(root), find_home(root)
    problem = None if home is None else problem_with_groups(home)
    used = home is not None and problem is None
    limits = home.controllers if home is not None and used else ()
    data = {
        "version_2": folder is not None,
        "folder": str(folder if home is None else home.folder) if folder else "",
        "memory": "memory" in limits,
        "pids": "pids" in limits,
        "used": used,
    }
    if not used:
        if folder is None:
            what = "no version 2 here"
        elif home is None:
            what = "version 2, not given to this user"
        else:
            what = f"version 2, but {problem}"
        what += (
            ": not used; memory: best effort; no control group: a bot that starts one process "
            "after the other may lose by time on a busy machine"
        )
        return Finding(TOPIC, what, data, _remedy(root, folder, problem))
    what = "used to kill, stop and measure bots"
    if len(limits) == 2:
        return Finding(TOPIC, f"{what}, and to limit their memory and number of processes", data)
    what += ", and to limit their memory" if "memory" in limits else "; memory: best effort"
    return Finding(TOPIC, what, data, _remedy(root, folder, None))


def _remedy(root: Path, folder: Path | None, problem: str | None) -> str:
    """Return what gives bots groups, or groups that limit their memory, on such a machine."""
    if problem is not None:
        return (
            "use Linux 5.14 or newer; a container must be allowed the system call clone3\n"
            "and has a writable /sys/fs/cgroup"
        )
    held = re.search(r"(?m)^[0-9]+:[^:]*\bmemory\b", text_of(root / "proc/self/cgroup"))
    if folder is None or held:
        return (
            "boot with systemd.unified_cgroup_hierarchy=1 or cgroup_no_v1=all, so that version 2 "
            "has\nall controllers; in a container, boot the host in this way"
        )
    if not (root / "run/systemd/system").is_dir():
        return "run the arena outside of this container, or give it a cgroup of its own to write to"
    whose = "" if os.geteuid() == 0 else "--user "
    return f"systemd-run {whose}--scope -p Delegate=yes arena run FILE"
