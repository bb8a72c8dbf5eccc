"""What dead runs left behind: processes, control groups, files and folders, found and swept away.

A bot whose worker and runner were killed at the same instant usually dies with them; this is for
the case that one does not. The folder of a dead run is not locked; whatever bears a word that its
key made is that run's. Nothing is ever guessed from a name alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Collection, Iterator
from functools import partial
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import NamedTuple

from arena.machine import procfs
from arena.machine.removal import remove_folder
from arena.machine.run_folder import VARIABLE, dead_runs, is_word_of, own_folder
from arena.process.cache import find_caches
from arena.process.stop_all import signal_if, wait_for_end
from arena.sandbox.cgroups.remains import dead_groups, remove_group
from arena.sandbox.slots import FIRST_UID, LAST_UID

SWEEP_SECONDS = 2.0  # the longest that a sweep waits for processes to end
ENVIRON_BYTES = 1 << 16
WHAT_CHARACTERS = 120
SHORT = "/tmp"
LONGEST_PLACE = 50  # a socket's path has 107 bytes, of which our part takes 54


class Leftover(NamedTuple):
    """A process, a control group or a file or folder of a dead run.

    Attributes:
        what: the process's command line, cut off, or the path; untrusted text.
        pid: the process, 0 for anything else.
    """

    what: str
    pid: int = 0


def folder_of_sockets() -> str:
    """Return the folder where ``multiprocessing`` keeps its sockets, made if it is not there.

    It lies in a folder of this process's own; in ``SHORT``, if a socket's path were too long.
    """
    usual, tempfile.tempdir = tempfile.tempdir, own_folder(_place_of_sockets())
    try:
        return get_temp_dir()
    finally:
        tempfile.tempdir = usual


def find_leftovers(home: Path | None = None) -> tuple[Leftover, ...]:
    """Return what dead runs of this user left on this machine: processes, groups, then files.

    Args:
        home: the arena's home, where copies may have been left half done, as in the user's cache.
    """
    with dead_runs(_places(home)) as dead:
        keys = dead.values()
        groups = (Leftover(str(folder)) for folder in dead_groups(keys))
        return (*_processes(keys), *groups, *map(Leftover, dead))


def sweep(home: Path | None = None) -> tuple[Leftover, ...]:
    """Kill and remove what ``find_leftovers`` finds; returns what is gone now.

    Processes that multiply are killed for two seconds; in a control group all end at once, also
    those that have taken their word off. The folder of a run whose processes do not end stays.
    """
    with dead_runs(_places(home)) as dead:
        keys = dead.values()
        gone = {one.pid: one for one in _processes(keys)}
        files = [folder for folder in dead_groups(keys) if remove_group(folder)]
        deadline = time.monotonic() + SWEEP_SECONDS
        while found := {one.pid: one for one in _processes(keys, kill=True)}:
            gone |= found
            if time.monotonic() >= deadline:
                break
            for pid in found:
                wait_for_end(pid, deadline - time.monotonic())
        for folder in () if found or any(_processes(keys)) else dead:
            with contextlib.suppress(OSError):
                remove_folder(folder)
                files.append(Path(folder))
    ended = (one for pid, one in gone.items() if pid not in found)
    return (*ended, *(Leftover(str(path)) for path in files))


def _place_of_sockets() -> str:
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= LONGEST_PLACE else SHORT


def _places(home: Path | None) -> Iterator[str | Path]:
    """Yield where folders of runs may lie."""
    yield from (tempfile.gettempdir(), _place_of_sockets())
    if home is not None:
        yield from (home, *find_caches())
        with contextlib.suppress(OSError):  # of a home that this user may not look into
            yield from (home / "bots").glob("*/")


# processes


def _processes(keys: Collection[bytes], kill: bool = False) -> Iterator[Leftover]:
    for pid in procfs.pids() if keys else ():
        if _is_of(keys, pid):
            yield Leftover(_command_line(pid), pid)
            if kill:  # at once, as it may soon have forked and ended
                signal_if(partial(_is_of, keys), pid, signal.SIGKILL)


def _is_of(keys: Collection[bytes], pid: int) -> bool:
    """Return whether a process of this user was started with a word of a run."""
    try:
        if not _is_ours(procfs.user(pid)):
            return False
        text = procfs.read(pid, "environ", ENVIRON_BYTES)
    except OSError:
        return False
    _, _, after = (b"\0" + text).partition(b"\0" + VARIABLE.encode() + b"=")
    return is_word_of(keys, after.partition(b"\0")[0].decode("ascii", "replace"))


def _is_ours(uid: int) -> bool:
    me = os.geteuid()
    return uid == me or (me == 0 and FIRST_UID <= uid <= LAST_UID)


def _command_line(pid: int) -> str:
    with contextlib.suppress(OSError):
        words = procfs.command_line(pid, 4 * WHAT_CHARACTERS)
        text = " ".join(word.decode("utf-8", "backslashreplace") for word in words)
        return text if len(text) <= WHAT_CHARACTERS else text[: WHAT_CHARACTERS - 1] + "…"
    return ""
