"""Host processes: started, replaced where one dies, and all ended; here they are small programs."""

from __future__ import annotations

import logging
import os
import signal
import threading
from pathlib import Path

import pytest
from support.waiting import is_gone, until

from arena.cluster import nodes as nodes_module
from arena.cluster.addresses import Scheduler
from arena.cluster.nodes import Nodes, ready_for, shares
from arena.errors import UsageError, WorkerError

UNTIL_TOLD = ("sh", "-c", "read line; exit 0")  # it ends with its input


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_every_core_is_in_one_share(count: int) -> None:
    """Shares are disjoint, all cores are in them, and their sizes differ by one at most."""
    dealt = shares(count, range(8))
    assert sorted(core for share in dealt for core in share) == list(range(8))
    sizes = {len(share) for share in dealt}
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.usefixtures("no_process_left")
def test_all_end_with_the_block() -> None:
    """Also one that would not hear a signal: its input ends."""
    deaf = ("sh", "-c", "trap '' TERM; read line")
    with Nodes([UNTIL_TOLD, deaf]) as nodes:
        pids = nodes.pids()
        assert len(pids) == 2
    assert all(map(is_gone, pids))


@pytest.mark.usefixtures("no_process_left")
def test_one_that_is_killed_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    """A line says how it ended, and another one is there; the rest stay."""
    with Nodes([UNTIL_TOLD, UNTIL_TOLD]) as nodes:
        first, second = nodes.pids()
        os.kill(first, signal.SIGKILL)

        def replaced() -> None:
            until(lambda: nodes.pids()[0] != first)
            os.kill(os.getpid(), signal.SIGINT)

        interrupting = threading.Thread(target=replaced)
        interrupting.start()
        with caplog.at_level(logging.WARNING, "arena"), pytest.raises(KeyboardInterrupt):
            nodes.watch()
        interrupting.join()
        assert nodes.pids()[1] == second
    assert "SIGKILL" in caplog.text


@pytest.mark.usefixtures("no_process_left")
def test_one_that_cannot_start_is_given_up() -> None:
    """It is tried five times, and the last end is named; the others end."""
    with (
        pytest.raises(WorkerError, match=r"5 times.*exit code 7"),
        Nodes([UNTIL_TOLD, ("sh", "-c", "exit 7")]) as nodes,
    ):
        nodes.watch()


def test_a_scheduler_that_is_not_there_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One line says so, however often it is tried; what will never fit is an error."""
    answers = [WorkerError("nobody listens"), WorkerError("nobody listens"), None]
    pauses: list[float] = []

    def greet(scheduler: Scheduler) -> None:
        if (answer := answers.pop(0)) is not None:
            raise answer

    monkeypatch.setattr(nodes_module, "greet", greet)
    monkeypatch.setattr("time.sleep", pauses.append)
    with caplog.at_level(logging.WARNING, "arena"):
        ready_for(Scheduler("127.0.0.1", 1), "none", tmp_path)
    assert (answers, len(pauses)) == ([], 2)
    assert caplog.text.count("nobody listens") == 1
    assert '"none"' in caplog.text

    def misfit(scheduler: Scheduler) -> None:
        raise UsageError("another cluster's")

    monkeypatch.setattr(nodes_module, "greet", misfit)
    with pytest.raises(UsageError):
        ready_for(Scheduler("127.0.0.1", 1), "none", tmp_path)
