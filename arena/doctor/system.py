"""The system the arena runs on: kernel, user, Python, what processes share."""

from __future__ import annotations

import os
import platform
import re
import sys
from multiprocessing import get_context

from arena.doctor.finding import Finding
from arena.machine.shared_memory import PLACE, NoSharedMemory, sharing
from arena.sandbox.slots import FIRST_UID, LAST_UID
from arena.values.errors import MachineLacks

OLDEST_KERNEL = (5, 3)  # of pidfd_open, without which nothing can be killed for sure


def system_findings() -> tuple[Finding, ...]:
    """Return what this system is."""
    return (_kernel(), _user(os.geteuid()), _python(), _shared_memory())


def _kernel() -> Finding:
    release, machine = platform.release(), platform.machine()
    found = re.match(r"(\d+)\.(\d+)", release)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    data = {"release": release, "machine": machine}
    what = f"Linux {release}, {machine}"
    if version < OLDEST_KERNEL:
        oldest = ".".join(map(str, OLDEST_KERNEL))
        return Finding("kernel", what, data, f"the arena needs Linux {oldest} or newer", red=True)
    return Finding("kernel", what, data)


def _user(uid: int) -> Finding:
    data = {"uid": uid, "root": uid == 0}
    if uid != 0:
        return Finding("user", f"an ordinary one (uid {uid})", data)
    what = f"root; its bots run under the users {FIRST_UID} to {LAST_UID}"
    remedy = "run the arena as an ordinary user: a bot that breaks out of isolation then gains less"
    return Finding("user", what, data, remedy)


def _python() -> Finding:
    version = platform.python_version()
    data = {"version": version, "executable": sys.executable, "prefix": sys.prefix}
    return Finding("python", f"{version}, {sys.executable}", data)


def _shared_memory() -> Finding:
    data = {"folder": PLACE}
    try:
        with sharing():
            get_context("fork").Lock()  # which leaves nothing, and starts nothing
    except NoSharedMemory as error:
        return Finding("shared memory", error.reason, data, error.remedy, red=True)
    except MachineLacks as error:
        remedy = f"end the programs that take the {error.lack}"
        return Finding("shared memory", str(error), data, remedy, red=True)
    return Finding("shared memory", f"locks can be made in {PLACE}", data)
