"""A real scheduler over TLS on the loopback, and Dask workers that know nothing of the arena."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from distributed import Client

from arena.cluster.addresses import Scheduler
from arena.cluster.certificates import Certificates, make_certificates
from arena.cluster.joined import client_of
from arena.cluster.scratch import scratch_folder
from arena.cluster.settings import environment

SECONDS = 60.0  # for something to come
BEGIN = """
import asyncio, dask, sys
from pathlib import Path
from arena.cluster.certificates import read_certificates
from arena.cluster.settings import configure, security
configure(dask.config.get("temporary-directory"))
from distributed import Scheduler, Worker
safe = security(read_certificates(Path(sys.argv[1])))
"""
SCHEDULER = f"""{BEGIN}
async def main():
    where = {{"host": "127.0.0.1", "port": int(sys.argv[2]), "dashboard_address": "127.0.0.1:0"}}
    async with Scheduler(protocol="tls", security=safe, dashboard=False, **where) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER = f"""{BEGIN}
async def main():
    async with Worker(sys.argv[2], nthreads=1, memory_limit=0, security=safe) as worker:
        await worker.finished()
asyncio.run(main())
"""


@contextlib.contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a Python program meanwhile, and kill it."""
    with (
        scratch_folder() as scratch,
        subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.PIPE, text=True, env=environment(scratch)
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def scheduler(
    folder: Path, port: int = 0
) -> Iterator[tuple[subprocess.Popen[str], str, Certificates]]:
    """Run a scheduler; give its process, its address, and certificates made for it."""
    certificates = make_certificates(folder)
    with running_scheduler(folder, port) as (process, address):
        yield process, address, certificates


@contextlib.contextmanager
def running_scheduler(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a scheduler with certificates that there are."""
    with running("-c", SCHEDULER, str(folder), str(port)) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()


def worker(address: str, folder: Path) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """Run a Dask worker that joins a scheduler."""
    return running("-c", WORKER, str(folder), address)


def client(address: str, certificates: Certificates) -> Client:
    """Return a coordinator's client; to be closed."""
    host, _, port = address.removeprefix("tls://").rpartition(":")
    return client_of(Scheduler(host, int(port), certificates))
