"""A try of all that bots' control groups are for, with a process that does nothing."""

from __future__ import annotations

import os
import select
from pathlib import Path

from arena.referee.cgroups.clone import NoGroupError, spawn
from arena.referee.cgroups.group import Group
from arena.referee.cgroups.home import Home

__all__ = ["problem_with_groups"]

WAIT_MS = 1000
MEMORY_BYTES = 1 << 28
PROCESSES = 8


def problem_with_groups(home: Home) -> str | None:
    """Make a group, start a process in it, stop it, read its CPU time, kill it, remove the group.

    Returns:
        What does not work, ``None`` if everything does.
    """
    try:
        group = Group(home, MEMORY_BYTES, PROCESSES)
    except OSError as error:
        return f"no group can be made: {error.strerror}"
    try:
        return _problem_with(group)
    except OSError as error:
        return f"no program can be started in one: {error.strerror}"
    except NoGroupError as error:
        return f"no program can be started in one: {error}"
    finally:
        group.close()


def _problem_with(group: Group) -> str | None:
    child = spawn(group, ("/bin/sh", "-c", "read -r line"), {}, "/")
    try:
        if group.members() != (child.pid,):
            return "a program that is started in a group is not in it"
        if not group.freeze() or not _says(group.folder / "cgroup.events", b"frozen 1"):
            return "what is in a group cannot be stopped"
        group.thaw()
        if not _says(group.folder / "cgroup.events", b"frozen 0"):
            return "what was stopped in a group does not go on"
        if group.cpu_ns() <= 0:
            return "the CPU time of a group is not counted"
        if not group.kill() or not group.is_empty(WAIT_MS):
            return "what is in a group cannot be killed"
        return None
    finally:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()


def _says(path: Path, words: bytes) -> bool:
    """Return whether a file of the kernel's comes to say something within a while."""
    file = os.open(path, os.O_RDONLY)
    try:
        poll = select.poll()
        poll.register(file, select.POLLPRI)
        while words not in os.pread(file, 4096, 0):
            if not poll.poll(WAIT_MS):
                return False
        return True
    finally:
        os.close(file)
