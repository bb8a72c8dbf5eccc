"""A scheduler for this machine alone: a process of ``--cluster local:N``.

Its only argument is the folder of its certificates. It prints its address.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from distributed import Scheduler

from arena.cluster.certificates import read_certificates
from arena.cluster.dask.settings import configure, security

__all__: list[str] = []


async def _serve(folder: Path) -> None:
    scheduler = Scheduler(
        protocol="tls",
        host="127.0.0.1",
        port=0,
        security=security(read_certificates(folder)),
        dashboard=False,
        dashboard_address="127.0.0.1:0",  # a port on which nothing is served
    )
    async with scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()


if __name__ == "__main__":
    configure()
    asyncio.run(_serve(Path(sys.argv[1])))
