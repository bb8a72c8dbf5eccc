"""A real scheduler over TLS on the loopback, and Dask workers that know nothing of the arena."""

from __future__ import annotations

import contextlib
import select
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from arena.cluster.certificates import Certificates, make_certificates
from arena.cluster.link import Event, Link, Seen

SECONDS = 60.0  # for something to come
WORKER = """
import asyncio, sys
from pathlib import Path
from arena.cluster.certificates import read_certificates
from arena.cluster.dask.settings import configure, security
configure()
from distributed import Worker
async def main():
    safe = security(read_certificates(Path(sys.argv[2])))
    async with Worker(sys.argv[1], nthreads=1, memory_limit=0, security=safe) as worker:
        await worker.finished()
asyncio.run(main())
"""

E = TypeVar("E", bound=Event)


@contextlib.contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a Python program meanwhile, and kill it."""
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, Certificates]]:
    """Run a scheduler; give its process, its address, and certificates made for it."""
    certificates = make_certificates(folder)
    module = "arena.cluster.dask.scheduler"
    with running("-m", module, str(folder)) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip(), certificates


def worker(address: str, folder: Path) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """Run a Dask worker that joins a scheduler."""
    return running("-c", WORKER, address, str(folder))


class Heard:
    """What comes over a link, one event after the other."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._come: deque[Event] = deque()

    def until(self, kind: type[E]) -> E:
        """Return the next event of a kind; others before it are forgotten."""
        while True:
            while self._come:
                event = self._come.popleft()
                if isinstance(event, kind):
                    return event
            assert select.select([self._link], [], [], SECONDS)[0], f"no {kind.__name__}"
            self._come.extend(self._link.take())

    def host(self) -> str:
        """Return the address of a host, once there is one."""
        while True:
            for address in self.until(Seen).signs:
                return address
