"""Dask's settings: ours alone, whatever a user's files and environment say.

Dask does nothing here by itself: no task is retried, stolen or moved, nothing is spilled to disk,
no page is served and no process is watched or started again.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import dask
import distributed

if TYPE_CHECKING:
    from arena.cluster.certificates import Certificates

__all__ = ["configure", "security"]

log = logging.getLogger(__name__)

_OURS = {
    "distributed.admin.large-graph-warning-threshold": "1 GB",  # archives of bots are tasks' words
    "distributed.admin.tick.limit": "60s",  # nobody reads of a busy machine
    "distributed.client.direct-to-workers": False,  # the scheduler is all that is reached for sure
    "distributed.comm.timeouts.connect": "10s",
    "distributed.comm.timeouts.tcp": "30s",
    "distributed.diagnostics.nvml": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
}


def configure() -> None:
    """Have Dask use these settings in this process, and log its warnings as our remarks.

    The arena reports a lost connection itself; Dask's own messages are for --verbose.
    """
    dask.config.refresh(paths=[], env={})  # the defaults of its packages
    dask.config.set(_OURS)
    for name in ("distributed", "tornado"):
        theirs = logging.getLogger(name)
        theirs.handlers[:] = [_Remarks()]
        theirs.setLevel(logging.WARNING)
        theirs.propagate = False
    for name in ("distributed.client", "distributed.gc", "tornado.application"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.WARNING)
        logging.getLogger(name).propagate = True


class _Remarks(logging.Handler):
    """Passes on what Dask logs, as one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the first line of a record's message; of one without any, that of its error."""
        text = record.getMessage().strip()
        if not text and record.exc_info is not None:
            text = f"{record.exc_info[1]}".strip()
        if text:
            log.info("%s: %s", record.name, text.splitlines()[0])


def security(certificates: Certificates | None) -> distributed.Security | None:
    """Return how all connections are made: over TLS, both sides known, where there are files."""
    if certificates is None:
        return None
    node, key = str(certificates.node), str(certificates.key)
    ours = {f"tls_{role}_cert": node for role in ("client", "scheduler", "worker")}
    ours |= {f"tls_{role}_key": key for role in ("client", "scheduler", "worker")}
    return distributed.Security(
        require_encryption=True, tls_ca_file=str(certificates.authority), **ours
    )
