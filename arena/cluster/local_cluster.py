"""``--cluster local:N``: a scheduler and N host processes of this machine, for one run.

They talk over TLS, with certificates of their own in a folder that only this user can read, since
anyone who reaches a scheduler can run anything. They end with the run, however it ends.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.cluster.certificates import Certificates, make_certificates
from arena.errors import WorkerError
from arena.owner import name_part
from arena.process.folders import remove_folder
from arena.untrusted import show
from arena.workers.endings import how_it_ended

__all__ = ["OwnCluster"]

START_SECONDS = 60.0  # for the scheduler to say where it is
LINES = 5  # of what a part said before it failed
END_SECONDS = 10.0  # for host processes to stop their bots and end


class OwnCluster:
    """A cluster of this machine; close it in the end.

    Attributes:
        address: the scheduler's.
        certificates: what it takes to connect.

    Raises:
        WorkerError: it cannot be started.
    """

    def __init__(self, workers: int, home: Path, sandbox: str) -> None:
        """Start it.

        Args:
            workers: how many host processes.
            home: the arena's home, in which the hosts have one of their own.
            sandbox: the level at which they run bots, or ``auto``.
        """
        self._processes: dict[str, subprocess.Popen[str]] = {}
        self._folder = Path(tempfile.mkdtemp(prefix=f"arena-cluster-{name_part()}-"))
        try:
            folder = self._folder / "certificates"
            self.certificates: Certificates = make_certificates(folder)
            self._start("scheduler", ["-m", "arena.cluster.dask.scheduler", str(folder)])
            self.address = self._said("scheduler")
            words = ["-m", "arena", "--home", str(home / "hosts"), "cluster", "worker"]
            words += [self.address, "--workers", str(workers), "--certificates", str(folder)]
            self._start("hosts", [*words, "--sandbox", sandbox])
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Raise ``WorkerError`` if a part of it has ended."""
        for name, process in self._processes.items():
            if process.poll() is not None:
                raise self._failure(name, how_it_ended(process.returncode, 0))

    def close(self) -> None:
        """End it."""
        for process in self._processes.values():
            process.terminate()
        try:
            for process in reversed(self._processes.values()):
                process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            for process in self._processes.values():
                process.kill()
                process.wait()
                if process.stdout is not None:
                    process.stdout.close()
            self._processes.clear()
            remove_folder(str(self._folder))

    def _start(self, name: str, words: Sequence[str]) -> None:
        """Start a part; it does not hear the terminal's signals, and ends with this process."""
        until = ["-m", "arena.cluster.parent", str(os.getpid()), sys.executable, "-P"]
        env = {name: value for name, value in os.environ.items() if name != "ARENA_CERTIFICATES"}
        with self._log(name).open("wb") as said:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-P", *until, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if name == "scheduler" else said,
                stderr=said,
                env=env,
                text=True,
                start_new_session=True,
            )

    def _said(self, name: str) -> str:
        """Return the first line that a part prints."""
        out = self._processes[name].stdout
        assert out is not None, "it has a pipe"
        if select.select([out], [], [], START_SECONDS)[0] and (line := out.readline().strip()):
            return line
        raise self._failure(name, "cannot be started")

    def _log(self, name: str) -> Path:
        """Return the file of what a part says; it is for a failure only."""
        return self._folder / f"{name}.log"

    def _failure(self, name: str, how: str) -> WorkerError:
        said = self._log(name).read_text("utf-8", "replace").strip().splitlines()[-LINES:]
        words = "".join(f"\n  {show(line)}" for line in said)
        return WorkerError(f"the {name} of the local cluster {how}{words}")
