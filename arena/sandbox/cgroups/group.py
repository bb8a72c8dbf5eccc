"""The control group of one bot: killed, stopped, measured and limited as a whole.

Nothing that its processes do takes them out of it: no new session, no second fork, no emptied
environment. It goes with the bot.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from pathlib import Path

from arena.machine.run_folder import leave_folder, new_word
from arena.sandbox.cgroups.own_group import BOT, Home, find_home, remove_empty

NEEDED = ("cgroup.kill", "cgroup.freeze", "cgroup.events", "cgroup.procs")
EMPTY_MS = 1000  # for killed processes to be gone
PAUSE_SECONDS = 0.0005  # between looks
KEEPERS = 2  # bubblewrap and the first process of its namespace, which are not the bot's

_log = logging.getLogger(__name__)
_lingering: set[Path] = set()  # what could not be removed yet


class Group:
    """A bot's group; made when a bot is started, removed when it is gone.

    Attributes:
        folder: where it is.
        descriptor: of that folder.
        limits_memory: does the kernel end its processes when they hold too much together?
        frozen: are its processes stopped?
    """

    __slots__ = ("_cpu", "_freezer", "descriptor", "folder", "frozen", "limits_memory")

    def __init__(self, home: Home, memory_bytes: int, processes: int) -> None:
        """Make a group.

        Args:
            home: where.
            memory_bytes: what its processes may hold together, where the kernel can limit that.
            processes: how many processes and threads there may be in it, likewise.

        Raises:
            OSError: it cannot be made, or this kernel has not all that we need of it.
        """
        self.folder: Path = home.folder / f"{BOT}{new_word()}"
        self.descriptor = self._cpu = self._freezer = -1
        self.limits_memory = self.frozen = False
        self.folder.mkdir()
        try:
            self.descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            self._cpu = self._open("cpu.stat", os.O_RDONLY)
            # open from the start: who was stopped goes on also when no more files can be opened
            self._freezer = self._open("cgroup.freeze", os.O_WRONLY)
            for name in NEEDED:
                os.stat(name, dir_fd=self.descriptor)
            self._limit(home, memory_bytes, processes)
        except OSError:
            self.close()
            raise

    def cpu_ns(self) -> int:
        """Return the CPU time of all that ever ran in it, in ns; 2 µs.

        What runs at this moment is counted up to its last interruption, some ms ago.

        Raises:
            OSError: the group is gone.
        """
        text = os.pread(self._cpu, 64, 0)  # "usage_usec 12345\n…"
        return int(text[11 : text.index(b"\n")]) * 1000

    def members(self) -> tuple[int, ...]:
        """Return the process ids of what lives in it.

        Raises:
            OSError: the group is gone.
        """
        return tuple(map(int, self._read("cgroup.procs").split()))

    def kill(self) -> bool:
        """Kill everything in it at one instant, whatever forks meanwhile; whether that worked."""
        return self._write("cgroup.kill", b"1")

    def freeze(self) -> bool:
        """Stop everything in it, what is being forked included; whether that worked."""
        self.frozen = self._turn(b"1") or self.frozen
        return self.frozen

    def thaw(self) -> None:
        """Have everything in it go on."""
        if self._turn(b"0"):
            self.frozen = False

    def _turn(self, text: bytes) -> bool:
        try:
            os.pwrite(self._freezer, text, 0)
        except OSError:  # the group is gone
            return False
        return True

    def is_empty(self, wait_ms: int = 0) -> bool:
        """Return whether nothing lives in it, waiting for that at most so long.

        We look again and again: of a change within 10 ms of another one the kernel informs nobody
        before these are over, and most bots that are killed at once have just begun.
        """
        deadline = time.monotonic() + wait_ms / 1000
        with contextlib.suppress(OSError):  # it is gone
            while b"populated 0" not in self._read("cgroup.events"):
                if time.monotonic() >= deadline:
                    return False
                time.sleep(PAUSE_SECONDS)
        return True

    def kernel_kills(self) -> tuple[int, bool]:
        """Return how many of its processes the kernel has ended, and whether for what it held.

        Where memory ran out above it, in the arena's own group or on the whole machine, it may be
        others who had too much.
        """
        with contextlib.suppress(OSError):
            lines = self._read("memory.events").decode("ascii").splitlines()
            events = {name: int(count) for name, count in map(str.split, lines)}
            return events["oom_kill"], events["oom"] > 0
        return 0, False

    def close(self) -> None:
        """Kill what is in it and remove it; a second time this does nothing.

        What takes longer to die keeps its group until the next one is made. Dead processes that
        share much memory take seconds.
        """
        if self.descriptor >= 0 and not self.is_empty():
            self.kill()
            if self.frozen:
                self.thaw()
            self.is_empty(EMPTY_MS)
        for descriptor in (self._cpu, self._freezer, self.descriptor):
            if descriptor >= 0:
                os.close(descriptor)
        self._cpu = self._freezer = self.descriptor = -1
        _remove(self.folder)

    def _limit(self, home: Home, memory_bytes: int, processes: int) -> None:
        if "pids" in home.controllers:
            self._write("pids.max", b"%d" % (processes + KEEPERS))
        if "memory" in home.controllers and self._write("memory.max", b"%d" % memory_bytes):
            self._write("memory.swap.max", b"0")
            self._write("memory.oom.group", b"1")
            self.limits_memory = True

    def _open(self, name: str, how: int) -> int:
        if self.descriptor < 0:
            raise FileNotFoundError(name)
        return os.open(name, how, dir_fd=self.descriptor)

    def _read(self, name: str) -> bytes:
        with open(self._open(name, os.O_RDONLY), "rb", buffering=0) as file:
            return file.read()

    def _write(self, name: str, text: bytes) -> bool:
        try:
            with open(self._open(name, os.O_WRONLY), "wb", buffering=0) as file:
                file.write(text)
        except OSError:
            return False
        return True


def _remove(*folders: Path) -> None:
    """Remove groups; one that dying processes hold is tried again with the next."""
    for folder in (*folders, *_lingering):
        _lingering.discard(folder)
        try:
            remove_empty(folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            _log.debug("a control group stays for now: %s", error)
            _lingering.add(folder)
            leave_folder()


def take_group(memory_bytes: int, processes: int, root: Path = Path("/")) -> Group | None:
    """Make a group for a bot; ``None`` where groups cannot be had.

    Args:
        memory_bytes: what it may hold.
        processes: how many processes and threads it may have.
        root: where ``/proc`` and ``/sys`` are looked for.
    """
    home = find_home(root)
    if home is None:
        return None
    _remove()
    try:
        return Group(home, memory_bytes, processes)
    except OSError as error:
        _log.debug("no control group can be made in %s: %s", home.folder, error)
        return None
