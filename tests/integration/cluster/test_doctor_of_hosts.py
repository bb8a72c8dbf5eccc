"""The doctor of a cluster, with a real scheduler and a real host over TLS."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.arena_command import ARENA, environment
from support.dask_hosts import SECONDS, client, scheduler

from arena.cluster.certificates import Certificates
from arena.values.version import __version__

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@contextmanager
def host(address: str, certificates: Certificates, home: Path) -> Iterator[None]:
    """Have a host with two workers in a cluster meanwhile."""
    folder = certificates.key.parent
    words = ("cluster", "worker", address, "--workers", "2", "--certificates", str(folder))
    with subprocess.Popen([*ARENA, *words, "--home", str(home)], env=environment(home)) as process:
        try:
            with client(address, certificates) as asked:
                asked.wait_for_workers(2, timeout=SECONDS)
            yield
        finally:
            process.send_signal(signal.SIGTERM)


def doctor(address: str, folder: Path, home: Path) -> tuple[int, dict[str, object]]:
    """Return the exit code of the doctor of a cluster, and what it printed."""
    words = ("doctor", "--cluster", address, "--certificates", str(folder), "--json")
    done = subprocess.run(
        [*ARENA, *words], env=environment(home), capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_host_is_one_row(tmp_path: Path) -> None:
    """However many workers it has; the row is what its own doctor says."""
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, certificates):
        code, said = doctor(address, folder, tmp_path / "here")
        assert (code, said) == (1, {"ok": False, "rows": []})
        with host(address, certificates, tmp_path / "there"):
            code, said = doctor(address, folder, tmp_path / "here")
    assert isinstance(said["rows"], list)
    (row,) = said["rows"]
    assert (row["host"], row["address"]) == (socket.gethostname(), "127.0.0.1")
    assert (row["arena"], row["python"]) == (__version__, sys.version.split()[0])
    assert row["cores"] > 0
    assert "python" in row["languages"]
    assert "limits" in row["levels"]
    assert said["ok"] is (not row["wrong"]) is (code == 0)
