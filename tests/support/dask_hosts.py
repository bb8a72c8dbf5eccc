"""A real scheduler over TLS on the loopback, and Dask workers that know nothing of the arena."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from distributed import Client
from support.piped import Piped

from arena.cluster.addresses import Scheduler
from arena.cluster.certificates import Certificates, make_certificates, read_certificates
from arena.cluster.host import HOME
from arena.cluster.joined import client_of
from arena.cluster.scratch import scratch_folder
from arena.cluster.settings import PRELOAD, environment

SECONDS = 60.0  # for something to come
BEGIN = """
import asyncio, dask, sys
from pathlib import Path
from arena.cluster.certificates import read_certificates
from arena.cluster.settings import configure
configure(dask.config.get("temporary-directory"), read_certificates(Path(sys.argv[1])))
from distributed import Scheduler, Worker
"""
SCHEDULER = f"""{BEGIN}
async def main():
    where = {{"host": "127.0.0.1", "port": int(sys.argv[2]), "dashboard_address": "127.0.0.1:0"}}
    async with Scheduler(protocol="tls", dashboard=False, **where) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER = f"""{BEGIN}
async def main():
    async with Worker(sys.argv[2], nthreads=1, memory_limit=0) as worker:
        await worker.finished()
asyncio.run(main())
"""


@contextlib.contextmanager
def running(*words: object, env: Mapping[str, str] = MappingProxyType({})) -> Iterator[Piped]:
    """Run a Python program during the block; ``env`` is added to its environment."""
    with (
        scratch_folder() as scratch,
        Piped([sys.executable, *words], env={**environment(scratch), **env}) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def scheduler(folder: Path, port: int = 0) -> Iterator[tuple[Piped, str, Certificates]]:
    """Run a scheduler; give its process, its address, and its certificates, which may be there."""
    certificates = read_certificates(folder) if folder.exists() else make_certificates(folder)
    with running("-c", SCHEDULER, folder, port) as process:
        yield process, process.stdout.readline().strip(), certificates


def worker(address: str, folder: Path) -> contextlib.AbstractContextManager[Piped]:
    """Run a Dask worker that joins a scheduler."""
    return running("-c", WORKER, folder, address)


def host(
    address: str, key: Certificates, home: Path, preload: object = PRELOAD
) -> contextlib.AbstractContextManager[Piped]:
    """Run Dask's own program with a preload, as batch systems start it: a host of the arena."""
    words = ["-m", "dask", "worker", address, "--preload", preload, "--nthreads", 1]
    words += ["--no-dashboard", "--no-nanny", "--tls-ca-file", key.certificate]
    words += ["--tls-cert", key.certificate, "--tls-key", key.key]
    return running(*words, env={**os.environ, HOME: str(home)})


def client(address: str, certificates: Certificates) -> Client:
    """Return a coordinator's client; to be closed."""
    host, _, port = address.removeprefix("tls://").rpartition(":")
    return client_of(Scheduler(host, int(port), certificates))
