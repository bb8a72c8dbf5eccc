"""Dask's scratch folder is ours: what somebody has put where Dask would look is never imported."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.arena_command import process, tournament
from support.dask_hosts import SECONDS
from support.running import Running

from arena.cluster.addresses import Scheduler
from arena.cluster.joined import client_of

pytestmark = pytest.mark.slow

OTHER = 61499  # somebody else
MODULE = """
import importlib, os, sys
with open({log!r}, "a") as log:
    print(__name__, os.getuid(), file=log)
sys.path[:] = [place for place in sys.path if not place.startswith({place!r})]
del sys.modules[__name__]
sys.modules[__name__] = importlib.import_module(__name__)
"""


class Trap:
    """A folder for temporary files in which Dask's usual folder is somebody else's.

    Attributes:
        place: the folder.
        log: has a line for each module of somebody else's that was imported.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self.log = folder / "tmp", folder / "log"
        planted = self.place / "dask-scratch-space"
        planted.mkdir(parents=True)
        text = MODULE.format(log=str(self.log), place=str(planted))
        known = {name for name in sys.stdlib_module_names if not name.startswith("_")}
        for name in {*known, "arena", "engines"} - {"sys", "os", "importlib"}:
            (planted / f"{name}.py").write_text(text)
        for path in (self.place, planted):
            path.chmod(0o1777)
        if os.geteuid() == 0:
            os.chown(planted, OTHER, OTHER)

    @contextmanager
    def holds(self) -> Iterator[None]:
        """Give a block after which nothing was imported, and nothing of ours is left."""
        yield
        assert not self.log.exists(), self.log.read_text()
        assert [path.name for path in self.place.iterdir()] == ["dask-scratch-space"]


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def test_a_local_cluster_imports_nothing_of_others(trap: Trap, tmp_path: Path) -> None:
    """A run on a cluster of this machine ends well, and ran no module of somebody else's."""
    file = tournament(tmp_path, rounds=1, seed=11)
    with trap.holds():
        words = ("run", file, "--cluster", "local:2", "--quiet")
        done = process(tmp_path / "home", *words, TMPDIR=str(trap.place))
        assert done.returncode == 0, done.stderr


def test_cluster_imports_nothing_from_scratch_folder(trap: Trap, tmp_path: Path) -> None:
    """Scheduler and hosts import nothing from Dask's folder, which is private."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        where = Scheduler("127.0.0.1", free.getsockname()[1])
    with trap.holds(), ExitStack() as stack:
        for word, said in (("scheduler", "Ctrl-C ends it"), ("worker", "joined the cluster")):
            words = ("cluster", word, str(where))
            running = Running(tmp_path / "home", *words, TMPDIR=str(trap.place))
            stack.callback(running.end)
            stack.callback(running.process.terminate)
            running.until(said)
        client = stack.enter_context(client_of(where))
        client.wait_for_workers(1, timeout=SECONDS)  # it says that it joins before it has
        looks = (eval, "list(__import__('sys').path)")
        found = [client.run_on_scheduler(*looks), *client.run(*looks).values()]
        assert len(found) > 1
        assert [place for places in found for place in places if str(trap.place) in place] == []
        folders = [*trap.place.glob(".arena-run-*/dask-*")]
        assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700, 0o700]
