"""What bots and strangers reach of a cluster: neither its key nor its scheduler, and no pages."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from support.dask_hosts import client, scheduler, worker
from support.needs import working

from arena.cluster.addresses import Scheduler
from arena.cluster.certificates import Certificates, make_certificates
from arena.cluster.handshake import greet
from arena.cluster.joined import _own_cluster
from arena.isolation.trial import run_trial
from arena.sandbox import LEVELS, Task, find_level
from arena.values.errors import UsageError

pytestmark = pytest.mark.slow

SECONDS = 60.0
PAGES = ("", "info/main/workers.html", "json/counts.json", "metrics", "health")  # of Dask
# prints a line for each thing that it reached
PROGRAM = """
import json, socket, sys
plan = json.loads(sys.argv[1])
for path in plan["files"]:
    try:
        open(path, "rb").read(1)
        print("read", path)
    except OSError:
        pass
for port in plan["ports"]:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
        print("reached", port)
    except OSError:
        pass
print("end")
"""


def reached(level: str, folder: Path, plan: Mapping[str, list[Any]]) -> list[str]:
    """Return what a bot reaches at a level."""
    folder.mkdir(mode=0o755)
    (folder / "bot.py").write_text(PROGRAM)
    task = Task((sys.executable, "-u", "./bot.py", json.dumps(plan)), str(folder))
    *lines, end = run_trial(find_level(level).launch(task), SECONDS).out.splitlines()
    assert end == "end"
    return lines


def host_ports(address: str, certificates: Certificates) -> list[int]:
    """Return the ports of a scheduler and of its hosts, once there is one."""
    with client(address, certificates) as asked:
        asked.wait_for_workers(1, timeout=SECONDS)
        places = (address, *asked.scheduler_info(n_workers=-1)["workers"])
    return [int(place.rpartition(":")[2]) for place in places]


@pytest.mark.parametrize("level", [name for name in LEVELS if find_level(name).isolates])
def test_isolated_bot_reaches_nothing_of_cluster(level: str, tmp_path: Path) -> None:
    """An isolated bot reaches neither the key, nor the host's environment, nor Dask's ports."""
    working(level)
    tmp_path.chmod(0o755)
    folder = tmp_path / "certificates"
    with scheduler(folder) as (process, address, certificates), worker(address, folder) as host:
        told = [
            f"/proc/{pid}/{name}"
            for pid in (process.pid, host.pid, os.getpid())
            for name in ("environ", "cmdline", "mem")
        ]
        plan: dict[str, list[Any]] = {
            "files": [str(certificates.key), str(certificates.certificate), *told],
            "ports": host_ports(address, certificates),
        }
        assert reached(level, tmp_path / "bot", plan) == []
        # the same program is able to do all of it where nothing isolates it
        ports = {f"reached {port}" for port in plan["ports"]}
        assert ports <= {*reached("none", tmp_path / "none", plan)}


def test_nothing_is_served_to_browsers(tmp_path: Path) -> None:
    """Dask has ports on which it would show everything to everybody; ours answer nothing there."""
    folder = tmp_path / "certificates"
    with scheduler(folder) as (_, address, certificates), worker(address, folder):
        with client(address, certificates) as asked:
            asked.wait_for_workers(1, timeout=SECONDS)
            told = asked.scheduler_info()
        services = [told["services"], *(one["services"] for one in told["workers"].values())]
        ports = [service["dashboard"] for service in services]
        assert len(ports) == 2
        for port, path in product(ports, PAGES):
            with pytest.raises(HTTPError) as caught:
                urlopen(f"http://127.0.0.1:{port}/{path}", timeout=SECONDS)
            caught.value.close()
            assert caught.value.code == 404


def test_key_of_local_cluster_is_in_memory_only(tmp_path: Path) -> None:
    """The key of a local cluster is in no file, and without it nobody is answered."""
    scratch = str(tmp_path / "scratch")
    with _own_cluster(1, tmp_path, "auto", scratch) as own:
        assert [place for place in sys.path if place.startswith(scratch)] == []
        port = int(own.scheduler_address.rpartition(":")[2])
        assert own.scheduler_address == f"tls://127.0.0.1:{port}"
        assert [worker.address[:16] for worker in own.workers.values()] == ["tls://127.0.0.1:"]
        with pytest.raises(UsageError, match="not of this cluster"):
            greet(Scheduler("127.0.0.1", port, make_certificates(tmp_path / "others")))
        with pytest.raises(UsageError, match="silent"):
            greet(Scheduler("127.0.0.1", port), 1)
