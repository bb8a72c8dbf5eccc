"""``arena cluster worker`` on this machine, with a real scheduler over TLS on the loopback."""

from __future__ import annotations

import json
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, Future
from support.arena_command import process, tournament
from support.bot_files import write
from support.dask_hosts import SECONDS, client, scheduler
from support.host_terms import FIRST, MATCHES, SLEEPER, terms
from support.running import Running
from support.waiting import is_gone, until, words_of

from arena.bots.program import describe
from arena.bots.travel import pack_bot
from arena.cluster import host as tasks
from arena.cluster.certificates import Certificates
from arena.cluster.overview import cluster_status
from arena.cluster.terms import ChunkAnswer, Terms, resources
from arena.machine.procfs import descendants
from arena.packed.record_text import unpack_text
from arena.record.record import parse_record
from arena.sandbox import find_level
from arena.values.model import Clock
from arena.values.tables import MatchRow
from arena.values.version import __version__


class Cluster:
    """A scheduler's address, and a coordinator's client."""

    def __init__(self, address: str, certificates: Certificates) -> None:
        self.address, self.folder = address, certificates.key.parent
        self.certificates = certificates
        self.client: Client = client(address, certificates)
        self.begun: list[Running] = []

    def worker(self, home: Path, *words: object) -> Running:
        """Start the command; it has joined."""
        words = (self.address, "--certificates", self.folder, *words)
        found = Running(home, "cluster", "worker", *words)
        self.begun.append(found)
        found.until("joined the cluster")
        return found

    def end(self) -> None:
        """Hang up, and kill what a failed test has left."""
        self.client.close(5)
        for one in self.begun:
            if one.process.poll() is None:
                one.kill()

    def begin(self, agreed: Terms, source: Path) -> Future[ChunkAnswer]:
        """Have two matches played by a host that fits."""
        archives = {describe(source).hash: pack_bot(describe(source))}
        words = (agreed, archives, MATCHES)
        found: Future[ChunkAnswer] = self.client.submit(
            tasks.play, *words, pure=False, resources=resources({}, isolates=True)
        )
        return found


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with scheduler(tmp_path / "certificates") as (_, address, certificates):
        made = Cluster(address, certificates)
        try:
            yield made
        finally:
            made.end()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "source" / "first.py", FIRST)


def sleepers(pid: int) -> list[int]:
    """Return what runs the sleeping bot below a process."""
    return [one for one in descendants(pid) if b"./sleeper.py" in words_of(one)]


def check(answer: ChunkAnswer) -> None:
    """Assert that two matches were played here, isolated."""
    assert answer.host == socket.gethostname()
    assert len(answer.results) == 2
    for one in answer.results:
        assert isinstance(one, MatchRow)
        record = parse_record(unpack_text(0, one.data, b""))
        assert record.host == answer.host
        assert find_level(record.sandbox).isolates
        assert record.by == "rules"


@pytest.mark.slow
def test_cluster_worker_plays_until_stopped(cluster: Cluster, source: Path, tmp_path: Path) -> None:
    """A host with two processes plays for a coordinator, and a signal ends all within seconds."""
    begun = cluster.worker(tmp_path / "home", "--workers", 2)
    cluster.client.wait_for_workers(2, timeout=SECONDS)
    agreed = terms(source, sandbox="auto", isolates=True)
    for answer in cluster.client.gather([cluster.begin(agreed, source) for _ in range(4)]):
        check(answer)
    below = list(descendants(begun.process.pid))
    assert len(below) >= 4  # Dask's program, two hosts and a worker
    assert begun.stopped(signal.SIGTERM) == 143
    assert begun.last.startswith("arena: stopped; ")
    until(lambda: all(map(is_gone, below)))


@pytest.mark.slow
def test_cause_of_an_end_is_one_line(cluster: Cluster, tmp_path: Path) -> None:
    """A host that cannot listen says so in one line, without Dask's traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = (cluster.address, "--certificates", cluster.folder, "--port", f"{port}:{port + 1}")
        begun = Running(tmp_path / "home", "cluster", "worker", *words, "--workers", 1)
        cluster.begun.append(begun)
        begun.until("joining again")
        assert begun.stopped(signal.SIGTERM) == 143
    assert "in use" in next(line for line in begun.said.splitlines() if "Nanny" in line)


@pytest.mark.nightly
def test_cluster_worker_waits_for_next_scheduler(source: Path, tmp_path: Path) -> None:
    """A host whose scheduler ends cuts its matches short and joins the next one."""
    folder, sleeper = tmp_path / "certificates", tmp_path / "sleeper.py"
    sleeper.write_text(SLEEPER)
    auto: dict[str, Any] = {"sandbox": "auto", "isolates": True}
    for_an_hour = Clock(move_ms=3_600_000, start_ms=10_000)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with scheduler(folder, port) as (first, address, certificates):
        there = Cluster(address, certificates)
        begun = there.worker(tmp_path / "home", "--workers", 1)
        waiting = there.begin(terms(sleeper, key="sleep", clock=for_an_hour, **auto), sleeper)
        bots = until(lambda: sleepers(begun.process.pid))
        first.kill()
        until(lambda: all(map(is_gone, bots)))
        there.client.close(5)
        assert waiting.cancelled()
    with scheduler(folder, port):
        again = Cluster(address, certificates)
        check(again.begin(terms(source, **auto), source).result(SECONDS))
        again.end()
        assert begun.stopped(signal.SIGTERM) == 143


@pytest.mark.slow
def test_status_shows_hosts(cluster: Cluster, source: Path, tmp_path: Path) -> None:
    """``cluster status`` shows what each host is and plays."""
    begun = cluster.worker(tmp_path / "home", "--workers", 2)
    cluster.client.wait_for_workers(2, timeout=SECONDS)
    check(cluster.begin(terms(source, sandbox="auto", isolates=True), source).result(SECONDS))
    words = (cluster.address, "--certificates", cluster.folder)

    def row(*command: str) -> dict[str, Any]:
        shown = process(tmp_path, *command, *words, "--json")
        (found,) = json.loads(shown.stdout)["rows"]
        return dict(found)

    until(lambda: cluster_status(cluster.client)[0]["played"] == 2)  # with the next heartbeat
    found = row("cluster", "status")
    name = socket.gethostname()
    assert (found["host"], found["processes"], found["per_minute"]) == (name, 2, 2)
    assert (found["lost"], found["wrong"]) == (0, "")
    told = row("doctor", "--cluster")  # one of the machine, however many workers it has
    assert (told["host"], told["address"]) == (name, "127.0.0.1")
    assert (told["arena"], told["python"]) == (__version__, sys.version.split()[0])
    assert told["cores"] > 0
    assert "python" in told["languages"]
    assert "none" in told["levels"]
    assert begun.stopped(signal.SIGTERM) == 143
    assert process(tmp_path, "cluster", "status", *words).stdout == ""


@pytest.mark.nightly
def test_two_runs_share_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """When one of two equal runs is over, the other has played a third of its matches or more."""
    cluster.worker(tmp_path / "home", "--workers", 1)
    running = {}
    for name in ("one", "two"):
        file = tournament(tmp_path, name=name, seed=3, rounds=200, processes="reuse")
        words = (file, "--cluster", cluster.address, "--certificates", cluster.folder)
        running[name] = Running(tmp_path / name, "run", *words)

    def played(name: str) -> int:
        shown = process(tmp_path / name, "tournaments", "--json")
        rows = json.loads(shown.stdout)["rows"] if shown.returncode == 0 else []
        return int(rows[0]["matches"]) if rows else 0

    until(lambda: any(run.process.poll() is not None for run in running.values()))
    least = min(played(name) for name in running)
    assert least >= 400 / 3
    assert [run.end() for run in running.values()] == [0, 0]
    assert [played(name) for name in running] == [400, 400]
