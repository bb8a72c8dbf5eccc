"""A tournament on several hosts ends as it does on one machine, whatever happens to them meanwhile.

Scheduler, coordinator and two hosts that play have a network namespace each. What is done to them
is done after so many matches were reported as played. Nothing waits for a time but a cut: how long
it lasts is what it is about.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_command import ROOT
from support.clusters import (
    HOSTS,
    Cluster,
    Ended,
    at_end,
    cluster,
    quick_tournament,
    slow_tournament,
    undisturbed,
)
from support.crash_runs import acknowledged, stored
from support.hosts import own_pids
from support.running import Running
from support.waiting import until

from arena.values.version import __version__

pytestmark = pytest.mark.timeout(300)  # busy machines take long to start all of this

FAULTS = 12  # of a campaign that draws them
BETWEEN = 60  # matches between two of them at most
SILENCE = 4  # seconds after which a host counts as gone, in tests of longer silence
BOUND = (
    f"import arena.cluster.settings as s; s._OURS['distributed.scheduler.worker-ttl'] = {SILENCE}"
)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """A tournament that takes its time, and what comes of it on this machine."""
    folder = tmp_path_factory.mktemp("slow")
    file = slow_tournament(folder)
    return file, undisturbed(file, folder / "home", "--workers", 8)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """A tournament in which there is time for many faults."""
    folder = tmp_path_factory.mktemp("long")
    file = quick_tournament(folder, rounds=80)
    return file, undisturbed(file, folder / "home", "--workers", 2)


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with a worker on each of its hosts."""
    with both_joined(tmp_path, "pass") as made:
        yield made


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster whose scheduler gives a silent host up early."""
    with both_joined(tmp_path, BOUND) as made:
        yield made


@contextlib.contextmanager
def both_joined(folder: Path, before: str) -> Iterator[Cluster]:
    with cluster(folder / "net", *HOSTS, before=before) as made:
        for name in HOSTS:
            made.start_worker(name)
        made.joined()
        yield made


def line_of(word: str, command: Running) -> str:
    """Return the first line of what a command wrote that has a word."""
    return next(line for line in command.said.splitlines() if word in line)


def played_by(name: str, run: Running, hosts: Cluster) -> None:
    """Wait until a host has played more matches than it has now."""
    before = hosts.played()[name]
    while hosts.played()[name] == before:
        run.until(" by ", 5)


@pytest.mark.slow
def test_killed_and_started_again(tmp_path: Path, slow: tuple[Path, Ended], hosts: Cluster) -> None:
    """A host, the scheduler and the coordinator are killed in turn; the run goes on each time."""
    file, expected = slow
    run = hosts.run(file)
    run.until(" by ", 5)
    # a host on which all is killed loses its matches to the other one, and may come back
    hosts.net["alpha"].kill()
    run.until(" by ", 5)
    hosts.start_worker("alpha")
    played_by("alpha", run, hosts)
    # a run whose scheduler ends says how to go on; the hosts find their way to the next one
    hosts.scheduler.kill()
    assert run.end() == 3
    assert "same command" in run.said
    said = [*acknowledged(run.said)]
    hosts.start_scheduler()
    run = hosts.run(file)
    for name in HOSTS:
        played_by(name, run, hosts)
    # the hosts play chunks of the coordinator's own, which goes on where it was
    run.kill()
    said += acknowledged(run.said)
    # what nobody waits for is not played to its end
    until(lambda: not any(hosts.net[name].bots() for name in HOSTS), 5.0)
    run = hosts.run(file)
    assert run.end() == 0
    said += acknowledged(run.said)
    assert len(said) == len(set(said)), "what was said to be played was not played again"
    assert set(said) <= set(stored(hosts.coordinator.home))
    # after it they are there for another tournament
    (tmp_path / "another").mkdir()
    another = quick_tournament(tmp_path / "another", rounds=1)
    assert hosts.run(another, "--home", tmp_path / "there").end() == 0
    assert at_end(tmp_path / "there") == undisturbed(another, tmp_path / "here")
    hosts.check(expected)


@pytest.mark.nightly
def test_cut_for_more_than_the_bound(slow: tuple[Path, Ended], hasty: Cluster) -> None:
    """A host that is silent for too long loses its matches; when it is heard again it gets more.

    What it answers then to what it was asked before changes nothing.
    """
    file, expected = slow
    run = hasty.run(file)
    run.until(" by ")
    played_by("alpha", run, hasty)
    with hasty.net["alpha"].cut():
        run.until("is gone")
        assert "alpha" in line_of("is gone", run)
    played_by("alpha", run, hasty)
    assert run.end() == 0
    hasty.check(expected)


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["cut", "pull_the_plug"])
def test_silent_host_loses_its_matches(slow: tuple[Path, Ended], hasty: Cluster, how: str) -> None:
    """A host that is never heard again loses its matches to the other one."""
    file, expected = slow
    run = hasty.run(file)
    run.until(" by ")
    played_by("alpha", run, hasty)
    alpha = hasty.net["alpha"]
    with {"cut": alpha.cut, "pull_the_plug": alpha.pull_the_plug}[how]():
        assert run.end() == 0
        hasty.check(expected)


@pytest.mark.nightly
def test_unsuitable_host_is_refused_by_name(tmp_path: Path) -> None:
    """A host of another version or below the level is refused by name."""
    file = quick_tournament(tmp_path, rounds=2)
    expected = undisturbed(file, tmp_path / "home")
    with cluster(tmp_path / "net", "alpha", "beta", "gamma") as hosts:
        other = another_version(tmp_path / "other")
        hosts.start_worker("alpha", PYTHONPATH=str(other))
        hosts.start_worker("beta", "--sandbox", "none")
        hosts.start_worker("gamma")
        hosts.joined()
        run = hosts.run(file)
        assert run.end() == 0
        assert set(hosts.played()) == {"gamma"}
        assert all(version in line_of("alpha", run) for version in ("0.0.1", __version__))
        assert all(word in line_of("beta", run) for word in ("none", "isolated"))
        assert "none" in line_of("not played here", hosts.workers["beta"])
        hosts.check(expected)


def another_version(folder: Path) -> Path:
    """Return a folder with this arena, as if it were another version."""
    for name in ("arena", "engines", "bots"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "arena" / "values" / "version.py").write_text('__version__ = "0.0.1"\n')
    return folder


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_random_faults_lose_no_match(long: tuple[Path, Ended], hasty: Cluster, seed: int) -> None:
    """After faults at random on a cluster no match is lost or doubled."""
    file, expected = long
    rng = random.Random(seed)
    run, said = hasty.run(file), set[str]()
    for _ in range(FAULTS):
        if len(said | {*acknowledged(run.said)}) > len(expected.exported) - 2 * BETWEEN:
            break  # so little is left that the run may end before the next fault
        run.until(" by ", rng.randrange(1, BETWEEN))
        fault = rng.choice(("host", "process", "cut", "cut", "scheduler", "coordinator"))
        name = rng.choice(HOSTS)
        print(f"{len(acknowledged(run.said))}: {fault} {name}", flush=True)
        if fault == "host":
            hasty.net[name].kill()
            hasty.start_worker(name)
            hasty.joined()
        elif fault == "process":
            worker = hasty.workers[name]
            pid = rng.choice(own_pids(worker))
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            if pid == worker.process.pid:
                worker.wait()
                hasty.start_worker(name)
                hasty.joined()
        elif fault == "cut":
            host = hasty.net[rng.choice((*HOSTS, "scheduler", "coordinator"))]
            with rng.choice((host.cut, host.pull_the_plug))():
                time.sleep(rng.uniform(0, 3 * SILENCE))
        elif fault == "scheduler":
            hasty.scheduler.kill()
            said |= set(acknowledged(run.said))
            assert run.end() == 3
            hasty.start_scheduler()
            run = hasty.run(file)
        else:
            said |= set(acknowledged(run.said))
            run.kill()
            run = hasty.run(file)
    assert run.end() == 0
    said |= set(acknowledged(run.said))
    assert said <= set(stored(hasty.coordinator.home))
    hasty.check(expected)
