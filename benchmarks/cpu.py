"""The CPU time of a command with everything it starts, from a control group or from ``perf``.

What a process learns of its children when they end is not enough: a runner's workers and their bots
are children of another one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring import Missing

__all__ = ["CpuMeter", "GroupMeter", "PerfMeter", "cpu_meter", "read_ns"]

CGROUPS = Path("/sys/fs/cgroup")
JOIN = 'echo 0 > "$0" && exec "$@"'


class CpuMeter:
    """Measures commands that are started as ``wrap`` says.

    Attributes:
        file: what ``read_ns`` reads while the command runs; empty if that cannot be.
    """

    file: str = ""

    def wrap(self, words: Sequence[str]) -> list[str]:
        """Return how to start a command so that it is measured."""
        raise NotImplementedError

    def used_ns(self) -> int:
        """Return what all commands have used so far; to be called when they have ended."""
        raise NotImplementedError


class GroupMeter(CpuMeter):
    """A control group of its own, of version 1 or 2."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        old = folder / "cpuacct.usage"
        self.file = str(old if old.exists() else folder / "cpu.stat")

    def wrap(self, words: Sequence[str]) -> list[str]:
        return ["sh", "-c", JOIN, str(self._folder / "cgroup.procs"), *words]

    def used_ns(self) -> int:
        return read_ns(self.file)


class PerfMeter(CpuMeter):
    """``perf stat``, which counts a command and all that it starts, until it ends."""

    def __init__(self, report: Path) -> None:
        self._report = report

    def wrap(self, words: Sequence[str]) -> list[str]:
        options = ["-x", ",", "-e", "task-clock", "--append", "-o", str(self._report)]
        return ["perf", "stat", *options, "--", *words]

    def used_ns(self) -> int:
        lines = self._report.read_text().splitlines() if self._report.exists() else []
        clocks = [line.split(",")[0] for line in lines if "task-clock" in line]
        return round(sum(map(float, clocks)) * 1e6)


def read_ns(file: str) -> int:
    """Return the CPU time that a group's file says."""
    text = Path(file).read_text()
    if file.endswith("cpuacct.usage"):
        return int(text)
    numbers = dict(line.split() for line in text.splitlines())
    return int(numbers["usage_usec"]) * 1000


@contextmanager
def cpu_meter(folder: Path) -> Iterator[CpuMeter]:
    """Give a meter: a control group where one can be made, else ``perf``.

    Args:
        folder: for what ``perf`` writes.

    Raises:
        Missing: there is neither.
    """
    group = _make_group()
    if group is None:
        if shutil.which("perf") is None or not _perf_counts():
            raise Missing("neither a control group can be made here nor perf used")
        yield PerfMeter(folder / f"perf-{os.urandom(4).hex()}")
        return
    try:
        yield GroupMeter(group)
    finally:
        with contextlib.suppress(OSError):  # whatever still runs there is ended by its own parent
            group.rmdir()


def _make_group() -> Path | None:
    """Make a group within our own, where one can be made that counts CPU time."""
    name = f"benchmarks-{os.getpid()}-{os.urandom(4).hex()}"
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "cpuacct" in controllers.split(","):
            roots, needed = [CGROUPS / controllers, CGROUPS / "cpuacct"], "cpuacct.usage"
        elif not controllers:
            roots, needed = [CGROUPS / "unified", CGROUPS], "cpu.stat"
        else:
            continue
        for root in roots:
            # in a container our own group may be the root of what is mounted
            for place in (root / path.lstrip("/"), root):
                folder = place / name
                with contextlib.suppress(OSError):
                    folder.mkdir()
                    if (folder / needed).exists() and os.access(folder / "cgroup.procs", os.W_OK):
                        return folder
                    folder.rmdir()
    return None


def _perf_counts() -> bool:
    done = subprocess.run(
        ["perf", "stat", "-x", ",", "-e", "task-clock", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0 and done.stderr.split(",")[0].replace(".", "").isdigit()
