"""A temporary folder with everything measured: bots that are built there, tournaments, homes."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cpu import CpuMeter
from benchmarks.measuring import Missing

__all__ = [
    "BOT_PROGRAMS",
    "GAME",
    "PLUGINS",
    "SIXTY",
    "Played",
    "Workshop",
    "arena_words",
    "workshop",
]

HERE = Path(__file__).parent
PLUGINS = HERE / "plugins"
GAME, SIXTY = "connect_four", "sixty"
BOT_PROGRAMS = ("instant", "uci")
SECONDS = 600


class Played(NamedTuple):
    """What a run of ``arena run`` took, between an early moment and its end.

    Attributes:
        matches: how many were played between the two.
        seconds: the wall time between them.
        own_ns: the coordinator's CPU time between them.
        tree_ns: that of all processes together, bots too; 0 if it was not measured.
        first_seconds: from the start of the command until its first match was over.
        pss_kb: the memory of all processes but the bots, at the end.
        decisions: how many the bots made in a match, in the mean; 0 if they do not say.
        bot_ns: the CPU time a decision takes a bot, as it says.
        steady_us: the wall time of a decision, whoever makes it, as bots say; without the first
            four of each.
        home: where the store is.
    """

    matches: int
    seconds: float
    own_ns: int
    tree_ns: int
    first_seconds: float
    pss_kb: int
    decisions: float
    bot_ns: float
    steady_us: float
    home: Path

    @property
    def per_second(self) -> float:
        """Matches a second."""
        return self.matches / self.seconds


class Report(NamedTuple):
    """What bots report of themselves when they end; see ``programs/report.h``."""

    cpu_ns: int
    decisions: int
    seconds: float
    steady_us: float


class Workshop:
    """A folder, what is built in it, and how runs are started there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count(1)

    def path(self, name: str) -> Path:
        """Return a path that nothing has yet."""
        return self.folder / f"{next(self._numbers)}-{name}"

    @cache  # noqa: B019  # there is one workshop a run
    def program(self, name: str) -> Path:
        """Build one of the bots in C.

        Raises:
            Missing: there is no compiler.
        """
        compiler = shutil.which("cc")
        if compiler is None:
            raise Missing("there is no C compiler here (cc)")
        place = self.folder / "programs"
        place.mkdir(exist_ok=True)
        place.chmod(0o755)
        source = HERE / "programs" / f"{name}.c"
        subprocess.run([compiler, "-O2", "-o", str(place / name), str(source)], check=True)
        return place / name

    def tournament(
        self,
        bots: int = 2,
        *,
        rounds: int,
        processes: str = "reuse",
        args: Sequence[str] = (),
        name: str = "measured",
        program: Path | None = None,
        game: str = GAME,
    ) -> Path:
        """Write the file of a round-robin of instant C bots."""
        file = self.path("tournament.yaml")
        program = program or self.program("instant")
        words = json.dumps(["--report", str(self.folder / f"{file.stem}.report"), *args])
        lines = [
            f"name: {name}", f"game: {game}", f"rounds: {rounds}", "seed: 2026",
            f"processes: {processes}", "sandbox: none", "clock: {move: 1s}", "bots:",
            *(f"  - {{name: b{n:04}, run: {program}, args: {words}}}" for n in range(bots)),
        ]  # fmt: skip
        file.write_text("\n".join([*lines, ""]))
        return file

    def play(
        self,
        file: Path,
        *,
        workers: int = 1,
        stop: int = 0,
        cpu: CpuMeter | None = None,
        home: Path | None = None,
        cluster: str = "",
    ) -> Played:
        """Run ``arena run`` to its end, or to ``stop`` matches, and return what that took.

        Args:
            file: the tournament's.
            workers: how many.
            stop: after so many matches it is interrupted, and some bots report nothing.
            cpu: what to measure the CPU time of all processes with.
            home: where; a new one if ``None``.
            cluster: what to play on instead of local workers; empty: nothing.
        """
        home = self.path("home") if home is None else home
        notes = self.path("notes.json")
        place = cpu.file if cpu is not None and cpu.file else "-"
        driver = [sys.executable, "-m", "benchmarks.driver", str(notes), str(stop), place]
        where = ["--cluster", cluster] if cluster else ["--workers", str(workers)]
        command = [*driver, str(file), *where, "--home", str(home)]
        report = self.folder / f"{file.stem}.report"  # where `tournament` has the bots write
        report.unlink(missing_ok=True)
        before = cpu.used_ns() if cpu is not None and not cpu.file else 0
        begin = time.monotonic_ns()
        run_quietly(command if cpu is None else cpu.wrap(command), allowed=(0, 130))
        said = json.loads(notes.read_text())
        first, last = said["begin"], said["end"]
        matches = last["settled"] - first["settled"]
        tree_ns = last["tree_ns"] - first["tree_ns"]
        if cpu is not None and not cpu.file:  # then the start is in it
            tree_ns = round((cpu.used_ns() - before) / last["settled"] * matches)
        bots = read_report(report)
        return Played(
            matches,
            (last["at_ns"] - first["at_ns"]) / 1e9,
            last["own_ns"] - first["own_ns"],
            tree_ns,
            (said["first_ns"] - begin) / 1e9,
            said["pss_kb"],
            bots.decisions / last["settled"],
            bots.cpu_ns / max(1, bots.decisions),
            bots.steady_us,
            home,
        )


@contextmanager
def workshop() -> Iterator[Workshop]:
    """Give a workshop, which is gone afterwards with all that was made there."""
    with tempfile.TemporaryDirectory(prefix="arena-benchmarks-") as folder:
        os.chmod(folder, 0o755)  # bots may run as another user
        yield Workshop(Path(folder))


def arena_words(*words: str) -> list[str]:
    """Return how to start the command ``arena``."""
    return [sys.executable, "-m", "arena", *words]


def environment() -> Mapping[str, str]:
    """Return the environment in which the arena finds the benchmarks' game."""
    paths = [str(HERE.parent), str(PLUGINS), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run_quietly(
    command: Sequence[str],
    *,
    allowed: Sequence[int] = (0,),
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> str:
    """Run a command and return what it prints.

    Raises:
        RuntimeError: it failed; the message has its last words.
    """
    done: subprocess.CompletedProcess[Any] = subprocess.run(
        command,
        env=environment() if env is None else env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode not in allowed:
        last = "\n".join(done.stderr.splitlines()[-20:])
        raise RuntimeError(f"exit {done.returncode}: {' '.join(command)}\n{last}")
    return str(done.stdout)


def read_report(file: Path) -> Report:
    """Return what all bots have reported; the time is from the first answer to the last."""
    if not file.exists():
        return Report(0, 0, 0.0, 0.0)
    rows = [tuple(map(int, line.split())) for line in file.read_text().splitlines()]
    cpu_ns, decisions, firsts, lasts, steady_ns, steady = zip(*rows, strict=True)
    seconds = (max(lasts) - min(firsts)) / 1e9
    # two take turns: between two answers of one there is one of the other
    steady_us = sum(steady_ns) / max(1, sum(steady)) / 2 / 1e3
    return Report(sum(cpu_ns), sum(decisions), seconds, steady_us)
