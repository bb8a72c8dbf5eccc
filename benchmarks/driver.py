"""``arena run`` as it is, with its moments noted: ``python -m benchmarks.driver NOTES STOP CPU …``.

NOTES is the file to write to, STOP after how many matches to end it as Ctrl-C does (0: never), CPU
the file of a control group that says what the whole run has used (``-``: none). The rest is what
``arena run`` is given.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.cpu import read_ns
from benchmarks.workshop import BOT_PROGRAMS

WARM = 10  # the first part of a run in so many is not measured


@dataclasses.dataclass(slots=True)
class Notes:
    """What is noted of a run: when its first match was over, and two moments further on."""

    file: str
    stop: int
    cpu: str
    first_ns: int = 0
    begin: dict[str, int] = dataclasses.field(default_factory=dict)
    end: dict[str, int] = dataclasses.field(default_factory=dict)

    def told(self, settled: int, total: int) -> None:
        """Take in how far the run is."""
        goal = min(self.stop or total, total)
        if not self.first_ns:
            self.first_ns = time.monotonic_ns()
        if not self.begin and settled >= max(1, goal // WARM):
            self.begin = self._moment(settled)
        elif self.begin and not self.end and settled >= goal:
            self.end = self._moment(settled)
            kilobytes = sum(_pss_kb(pid) for pid in _ours(os.getpid()))
            told = {"first_ns": self.first_ns, "begin": self.begin, "end": self.end}
            Path(self.file).write_text(json.dumps({**told, "pss_kb": kilobytes}))
            if self.stop:
                os.kill(os.getpid(), signal.SIGINT)

    def _moment(self, settled: int) -> dict[str, int]:
        tree = read_ns(self.cpu) if self.cpu != "-" else 0
        now = {"at_ns": time.monotonic_ns(), "own_ns": time.process_time_ns()}
        return {"settled": settled, **now, "tree_ns": tree}


def _ours(pid: int) -> list[int]:
    """Return a process and all below it but the bots."""
    try:
        if os.path.basename(os.readlink(f"/proc/{pid}/exe")) in BOT_PROGRAMS:
            return []
        children: list[int] = []
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            children += map(int, text.split())
    except OSError:  # it has just ended
        return []
    return [pid, *(below for child in children for below in _ours(child))]


def _pss_kb(pid: int) -> int:
    """Return the memory of a process; of what several share, its part."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def main() -> None:
    """Run ``arena run``; what it reports after every match is noted on the way to where it goes."""
    file, stop, cpu, *words = sys.argv[1:]
    notes = Notes(file, int(stop), cpu)
    from arena.cli.main import main as arena
    from arena.run import runner

    run = runner.run_tournament

    def noted(tournament: Any, home: Any, *, progress: Any, **rest: Any) -> Any:
        def told(now: runner.Progress) -> None:
            progress(now)
            if now.match:
                notes.told(now.settled, now.total)

        return run(tournament, home, progress=told, **rest)

    vars(runner)["run_tournament"] = noted  # the command imports it from there
    sys.argv = ["arena", "run", *words]
    arena()


if __name__ == "__main__":
    main()
