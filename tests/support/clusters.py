"""A cluster on hosts of its own: a scheduler, hosts that play, and a coordinator, over TLS."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from support.arena_command import ROOT, output, tournament
from support.crash_runs import stored
from support.hosts import Host, Network, network
from support.kits import changed_kit
from support.running import Running
from support.timeless import timeless
from support.waiting import until

HOSTS = ("alpha", "beta")  # that play
SCHEDULER, COORDINATOR = "scheduler", "coordinator"
PORT = 8786
JOINED = "joined the cluster"  # what a worker command says

# with clocks that no busy machine exceeds
KEYS = {"seed": 5, "opening": "{plies: 1}", "clock": "{move: 20s, first: 20s}"}


class Ended(NamedTuple):
    """What is in a home at the end, without times and places."""

    exported: list[str]
    board: str


class Cluster:
    """The cluster; its scheduler and its workers run.

    Attributes:
        net: its hosts.
        scheduler: the scheduler's command.
        workers: the command of each host that plays, by its name.
    """

    def __init__(self, net: Network, certificates: Path, before: str = "pass") -> None:
        self.net = net
        self._before = before
        self.certificates = certificates
        self.address = f"tls://{net[SCHEDULER].address}:{PORT}"
        self.scheduler = self.start_scheduler()
        self.workers: dict[str, Running] = {}
        self._joining: list[Running] = []

    def start_scheduler(self) -> Running:
        """Start the scheduler, for the first time or again."""
        words = ("cluster", "scheduler", self.address, "--certificates", self.certificates)
        self.scheduler = self.net[SCHEDULER].arena(*words, code=self._before)
        self.scheduler.until("the scheduler is")
        until(self._answers)
        return self.scheduler

    def _answers(self) -> bool:
        """Return whether somebody listens where the scheduler is to be."""
        words = (self.net[SCHEDULER].address, PORT)
        code = f"import socket; raise SystemExit(socket.socket().connect_ex({words}))"
        program = [*self.coordinator.inside, sys.executable, "-c", code]
        return subprocess.run(program, check=False).returncode == 0

    def start_worker(self, name: str, *options: object, **env: str) -> Running:
        """Start the worker command on a host, with one process; see ``joined``."""
        words = ("cluster", "worker", self.address, "--certificates", self.certificates)
        host = self.net[name]
        worker = host.arena(*words, "--workers", 1, "--home", host.home, *options, **env)
        self.workers[name] = worker
        self._joining.append(worker)
        return worker

    def joined(self) -> None:
        """Wait until all that were started have joined."""
        while self._joining:
            self._joining.pop().until(JOINED)

    def run(self, file: Path, *options: object) -> Running:
        """Start ``arena run`` on the coordinator's host."""
        return self.coordinator.arena("run", file, "--verbose", *self.where, *options)

    @property
    def where(self) -> tuple[object, ...]:
        """The options of a command that uses this cluster."""
        return ("--cluster", self.address, "--certificates", self.certificates)

    @property
    def coordinator(self) -> Host:
        """The host on which tournaments are run."""
        return self.net[COORDINATOR]

    def played(self) -> Counter[str]:
        """Return how many of the stored matches each host has played."""
        lines = output(self.coordinator.home, "export").splitlines()
        return Counter(json.loads(line).get("host", "") for line in lines)

    def check(self, expected: Ended) -> None:
        """Assert that a run ended as expected, and that the hosts end with nothing left on them."""
        home = self.coordinator.home
        ids = stored(home)
        assert len(ids) == len(set(ids)), "no match is there twice"
        found = at_end(home)
        strange = [line for line in found.exported if line not in expected.exported]
        assert not strange, "\n".join(strange)
        assert found == expected
        assert output(home, "verify").endswith("all right\n")
        for name, worker in self.workers.items():
            assert self.net[name].bots() == [], "a worker that has nothing to play runs no bot"
            assert worker.stopped(signal.SIGTERM) == 143, worker.said
        assert self.net.left() == []


@contextlib.contextmanager
def cluster(folder: Path, *names: str, before: str = "pass") -> Iterator[Cluster]:
    """Make a cluster of these hosts whose scheduler runs, and no worker yet.

    ``before``: Python that the scheduler's command runs first.
    """
    with network(folder, SCHEDULER, COORDINATOR, *names) as net:
        certificates = folder / "certificates"
        output(folder, "cluster", "certificates", certificates)
        yield Cluster(net, certificates, before)


def quick_tournament(folder: Path, rounds: int) -> Path:
    """Write a tournament of bundled bots and of two that no other machine has; return the file."""
    bots = "random, random-sh, {name: mine, run: mine.py}"
    shutil.copy(ROOT / "bots/kit/python/bot.py", folder / "mine.py")
    if shutil.which("cc"):
        shutil.copy(ROOT / "bots/kit/c/bot.c", folder / "mine.c")
        bots += ", {name: mine-c, run: mine.c}"
    return tournament(folder, f"[{bots}]", name="quick", rounds=rounds, **KEYS)


def slow_tournament(folder: Path) -> Path:
    """Write a tournament that takes its time, and little of the machine's; return the file."""
    bot = changed_kit("python", folder, first="import time; time.sleep(0.08)")
    bot.rename(folder / "slow.py")
    bots = "[random, {name: slow, run: slow.py}]"
    return tournament(folder, bots, name="slow", rounds=24, **KEYS)


def undisturbed(file: Path, home: Path, *options: object) -> Ended:
    """Run a tournament on this machine alone and return what comes of it."""
    output(home, "run", file, *options)
    return at_end(home)


def at_end(home: Path) -> Ended:
    """Return what the records and the leaderboard of a home say, times and places aside."""
    return Ended(timeless(home), output(home, "leaderboard", "--json"))
