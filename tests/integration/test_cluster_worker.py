"""``arena cluster worker`` on this machine, with a real scheduler over TLS on the loopback."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.dask_hosts import Heard, running, scheduler
from support.host_terms import FIRST, MATCHES, SLEEPER, terms
from support.running import Running
from support.waiting import is_gone, until

from arena.bots.program import describe
from arena.bots.travel import pack_bot
from arena.cluster import host as tasks
from arena.cluster.certificates import Certificates, read_certificates
from arena.cluster.dask.client import DaskLink
from arena.cluster.link import Answered, Event, Failed, Seen, Up
from arena.cluster.terms import HostReport
from arena.match.record import parse_record
from arena.model import Clock
from arena.packed.text import unpack_text
from arena.procfs import children_by_scan, command_line, descendants
from arena.workers.local import Played

pytestmark = pytest.mark.slow


class Cluster:
    """A scheduler's address, and a coordinator's link to it."""

    def __init__(self, address: str, folder: Path, certificates: Certificates) -> None:
        self.address, self.folder = address, folder
        self.link = DaskLink(address, certificates)
        self.heard = Heard(self.link)
        self.begun: list[Running] = []
        self._calls = 0

    def worker(self, home: Path, *words: object) -> Running:
        """Start the command; it has joined."""
        words = (self.address, "--certificates", self.folder, *words)
        found = Running(home, "cluster", "worker", *words)
        self.begun.append(found)
        found.until("joined the cluster")
        return found

    def end(self) -> None:
        """Hang up, and kill what a failed test has left."""
        self.link.close()
        for host in self.begun:
            if host.process.poll() is None:
                host.kill()

    def hosts(self, count: int) -> list[str]:
        """Return the addresses of so many host processes, once they are there."""
        while len(signs := self.heard.until(Seen).signs) != count:
            pass
        return list(signs)

    def begin(self, host: str, function: Any, *words: object) -> int:
        self._calls += 1
        self.link.call(self._calls, host, function, *words)
        return self._calls

    def ask(self, host: str, function: Any, *words: object) -> Any:
        call = self.begin(host, function, *words)
        while True:
            event: Event = self.heard.until(Answered | Failed)  # type: ignore[arg-type]  # either
            if isinstance(event, Failed) and event.call == call:
                raise event.error
            if isinstance(event, Answered) and event.call == call:
                return event.value

    def agree(self, host: str, agreed: Any, *sources: Path) -> HostReport:
        report: HostReport = self.ask(host, tasks.look, agreed)
        assert report.refusals == ()
        for source in sources:
            program = describe(source)
            if program.hash in report.missing:
                words = (agreed.key, program.hash, pack_bot(program))
                assert self.ask(host, tasks.take_bot, *words) == ""
        return report


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, certificates):
        made = Cluster(address, folder, certificates)
        try:
            yield made
        finally:
            made.end()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "source" / "first.py"
    file.parent.mkdir()
    file.write_text(FIRST)
    return file


def sleepers(tmp_path: Path) -> tuple[Path, Any]:
    """Return a bot that thinks for an hour, and terms that let it."""
    file = tmp_path / "source" / "sleeper.py"
    file.write_text(SLEEPER)
    agreed = terms(file, key="sleep", sandbox="auto", isolates=True)
    clock = Clock(move_ms=3_600_000, start_ms=10_000)
    return file, replace(agreed, tournament=replace(agreed.tournament, clock=clock))


def bots_of(pid: int) -> list[int]:
    """Return what runs the sleeping bot below a process."""
    return [one for one in descendants(pid) if b"./sleeper.py" in words_of(one)]


def nodes_of(host: Running) -> list[int]:
    """Return the host processes of a command."""
    return [one for one in children_by_scan(host.process.pid) if b"node" in words_of(one)]


def words_of(pid: int) -> list[bytes]:
    """Return the words of a process's command line; none if it has just ended."""
    try:
        return command_line(pid)
    except OSError:
        return []


def test_who_leaves_says_so(cluster: Cluster, tmp_path: Path, source: Path) -> None:
    """A host that is stopped gives its match back: it did not crash, and no match is why."""
    sleeper, agreed = sleepers(tmp_path)
    worker = cluster.worker(tmp_path / "home", "--workers", 1)
    (host,) = cluster.hosts(1)
    cluster.agree(host, agreed, sleeper)
    calls = [cluster.begin(host, tasks.play, agreed.key, (match,)) for match in MATCHES]
    until(lambda: bots_of(worker.process.pid))
    worker.process.terminate()
    for call in calls:
        failed: Failed = cluster.heard.until(Failed)
        assert (failed.call, type(failed.error)) == (call, tasks.Unwanted)
    assert worker.end() == 143


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_it_plays_until_it_is_stopped(
    number: int, code: int, cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    """Two processes play for one coordinator; a signal ends all there is within seconds."""
    host = cluster.worker(tmp_path / "home", "--workers", 2)
    agreed = terms(source, sandbox="auto", isolates=True)
    for address in cluster.hosts(2):
        report = cluster.agree(address, agreed, source)
        assert report.host == socket.gethostname()
        found = cluster.ask(address, tasks.play, agreed.key, MATCHES)
        for one in found:
            assert isinstance(one, Played)
            record = parse_record(unpack_text(0, one.packed.data, b""))
            assert (record.host, record.sandbox) == (report.host, report.level)
            assert record.by == "rules"
    below = list(descendants(host.process.pid))
    assert len(below) >= 4  # two hosts and their workers
    os.kill(host.process.pid, number)
    assert host.end() == code
    assert host.last.startswith("arena: stopped; ")
    until(lambda: all(map(is_gone, below)))


def test_a_coordinator_that_hangs_up_leaves_nothing_running(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    """Its match is cut short; another coordinator is served by the same process."""
    host = cluster.worker(tmp_path / "home", "--workers", 1)
    [address] = cluster.hosts(1)
    file, slow = sleepers(tmp_path)
    cluster.agree(address, slow, file)
    cluster.begin(address, tasks.play, slow.key, MATCHES)
    cluster.begin(address, tasks.play, slow.key, MATCHES)  # waits for the first
    bots = until(lambda: bots_of(host.process.pid))
    cluster.link.close()
    until(lambda: all(map(is_gone, bots)))
    again = Cluster(cluster.address, cluster.folder, read_certificates(cluster.folder))
    assert again.hosts(1) == [address]
    again.agree(address, terms(source), source)
    assert len(again.ask(address, tasks.play, "k", MATCHES)) == 2
    assert not bots_of(host.process.pid)
    again.link.close()
    host.process.terminate()
    assert host.end() == 143


def test_a_process_that_is_killed_is_replaced(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    """It leaves no bot running, and another one joins in its place."""
    host = cluster.worker(tmp_path / "home", "--workers", 1)
    [address] = cluster.hosts(1)
    file, slow = sleepers(tmp_path)
    cluster.agree(address, slow, file)
    cluster.begin(address, tasks.play, slow.key, MATCHES)
    bots = until(lambda: bots_of(host.process.pid))
    [node] = nodes_of(host)
    os.kill(node, signal.SIGKILL)
    host.until("another one is started")
    host.until("joined the cluster")
    until(lambda: all(map(is_gone, bots)))
    [second] = [one for one in cluster.hosts(1) if one != address] or cluster.hosts(1)
    assert second != address
    report = cluster.agree(second, terms(source), source)
    assert len(cluster.ask(second, tasks.play, "k", MATCHES)) == 2
    assert report.missing == (describe(source).hash,)
    os.kill(host.process.pid, signal.SIGINT)
    assert host.end() == 130


def test_all_ends_with_a_command_that_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    """Whoever kills the command itself kills the host processes, their workers and bots."""
    host = cluster.worker(tmp_path / "home", "--workers", 1)
    [address] = cluster.hosts(1)
    (tmp_path / "source").mkdir()
    file, slow = sleepers(tmp_path)
    cluster.agree(address, slow, file)
    cluster.begin(address, tasks.play, slow.key, MATCHES)
    until(lambda: bots_of(host.process.pid))
    below = list(descendants(host.process.pid))
    host.process.kill()
    until(lambda: all(map(is_gone, below)))
    host.wait()


def test_a_scheduler_that_ends_is_waited_for(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    """What is being played is cut short, and the same process joins the next scheduler."""
    file, slow = sleepers(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = cluster.folder
    words = ["-m", "dask", "scheduler", "--host", f"tls://127.0.0.1:{port}", "--no-dashboard"]
    words += ["--tls-ca-file", str(folder / "ca.pem"), "--tls-cert", str(folder / "node.pem")]
    words += ["--tls-key", str(folder / "node-key.pem")]
    there = Cluster(f"tls://127.0.0.1:{port}", folder, read_certificates(folder))
    cluster.begun = there.begun
    with running(*words) as first:
        host = there.worker(tmp_path / "home", "--workers", 1)
        [address] = there.hosts(1)
        there.agree(address, slow, file)
        there.begin(address, tasks.play, slow.key, MATCHES)
        bots = until(lambda: bots_of(host.process.pid))
        [node] = nodes_of(host)
        first.kill()
        first.wait()
        host.until("is gone")
        until(lambda: all(map(is_gone, bots)))
    with running(*words):
        host.until("joined the cluster")
        assert nodes_of(host) == [node]
        there.heard.until(Up)
        [address] = there.hosts(1)
        there.agree(address, terms(source), source)
        assert len(there.ask(address, tasks.play, "k", MATCHES)) == 2
        there.link.close()
        host.process.terminate()
        assert host.end() == 143


def test_it_waits_for_a_scheduler_that_is_not_there_yet(tmp_path: Path) -> None:
    """A line says so; Ctrl-C ends it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    host = Running(tmp_path, "cluster", "worker", f"tcp://127.0.0.1:{port}")
    host.until("trying again")
    os.kill(host.process.pid, signal.SIGINT)
    assert host.end() == 130


def test_it_gives_up_where_it_cannot_start(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Host processes that die again and again are not started for ever."""
    folder = tmp_path / "broken" / "distributed"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit(77)\n")
    monkeypatch.setenv("PYTHONPATH", str(folder.parent))
    words = (cluster.address, "--certificates", cluster.folder, "--workers", 1)
    host = Running(tmp_path / "home", "cluster", "worker", *words)
    assert host.end() == 3
    assert "ended 5 times" in host.last
    assert "exit code 77" in host.last
