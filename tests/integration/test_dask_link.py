"""The way to a cluster's hosts, over a real scheduler and real Dask workers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from support.dask_hosts import Heard, scheduler, worker

from arena.cluster.dask.client import DaskLink
from arena.cluster.host import play
from arena.cluster.link import Answered, Down, Failed, HostGone, Seen, Up
from arena.cluster.terms import versions
from arena.version import __version__

pytestmark = pytest.mark.slow


def test_a_host_answers_fails_and_is_killed(tmp_path: Path) -> None:
    """Answers and errors come with the number of their call; a host that is killed is gone."""
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, certificates), worker(address, folder):
        link = DaskLink(address, certificates)
        heard = Heard(link)
        try:
            heard.until(Up)
            host = heard.host()
            link.call(1, host, versions)
            answer = heard.until(Answered)
            assert (answer.call, answer.value["arena"]) == (1, __version__)
            link.call(2, host, os.fstat, -1)
            failure = heard.until(Failed)
            assert failure.call == 2
            assert isinstance(failure.error, OSError)
            # one that was dropped says nothing, though it is played to its end
            link.call(3, host, versions)
            link.drop(3)
            link.call(4, host, signal.raise_signal, signal.SIGKILL)
            failure = heard.until(Failed)
            assert failure.call == 4
            assert isinstance(failure.error, HostGone)
        finally:
            link.close()


def test_another_run_on_the_same_hosts_is_seen(tmp_path: Path) -> None:
    """Its matches are, while they wait or are played; what else is asked of a host is not."""
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, certificates), worker(address, folder):
        ours, other = DaskLink(address, certificates), DaskLink(address, certificates)
        heard = Heard(ours)
        try:
            host = heard.host()
            Heard(other).until(Up)
            other.call(1, host, time.sleep, 5)
            ours.call(1, host, play, "key", ())
            assert not any(heard.until(Seen).shared for _ in range(2))
            other.call(2, host, play, "key", ())
            while not heard.until(Seen).shared:
                pass
        finally:
            ours.close()
            other.close()


def test_a_scheduler_that_ends_is_reported(tmp_path: Path) -> None:
    """The connection is down, and closing it does not wait for anybody."""
    with scheduler(tmp_path / "certificates") as (process, address, certificates):
        link = DaskLink(address, certificates)
        heard = Heard(link)
        heard.until(Up)
        process.kill()
        assert heard.until(Down).reason
        link.close()


def test_nobody_connects_without_the_certificates(tmp_path: Path) -> None:
    """A scheduler of this machine talks to nobody who has others, or none."""
    with (
        scheduler(tmp_path / "certificates") as (_, address, _),
        scheduler(tmp_path / "others") as (_, _, others),
    ):
        for certificates in (others, None):
            link = DaskLink(address.replace("tls", "tls" if certificates else "tcp"), certificates)
            assert Heard(link).until(Down).reason
            link.close()


def test_a_link_that_is_closed_leaves_no_descriptors_open(tmp_path: Path) -> None:
    """A program that runs many tournaments does not run out of them."""
    with scheduler(tmp_path / "certificates") as (_, address, certificates):
        open_files = []
        for _ in range(3):  # the first one opens what all of them share
            link = DaskLink(address, certificates)
            Heard(link).until(Up)
            link.close()
            open_files.append(len(os.listdir("/proc/self/fd")))
    assert open_files[1] == open_files[2]
