"""Dask's settings: ours alone, whatever a user's files and environment say."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import dask

from arena.cluster import scratch

if TYPE_CHECKING:
    from arena.cluster.certificates import Certificates

PRELOAD = "arena.cluster.host"  # what makes a Dask worker a host
NOWHERE = os.devnull  # in which no folder can be made
ROLES = ("client", "scheduler", "worker")
INHERITED = "DASK_INTERNAL_INHERIT_CONFIG"  # by which Dask's own programs pass their settings on

log = logging.getLogger(__name__)

_OURS = {
    "distributed.admin.large-graph-warning-threshold": "1 GB",  # archives of bots are arguments
    "distributed.admin.system-monitor.interval": "10s",  # of every process, of what nobody reads
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",  # nobody reads of a busy machine
    "distributed.comm.timeouts.connect": "10s",
    "distributed.comm.timeouts.tcp": "60s",
    "distributed.diagnostics.nvml": False,
    "distributed.logging": {"distributed": "critical"},  # in processes that Dask starts
    "distributed.nanny.pre-spawn-environ.PYTHONSAFEPATH": "1",  # no modules of the current folder
    "distributed.nanny.preload": [scratch.PRELOAD],
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.allowed-failures": 2,  # hosts may end at a task; the third gives it up
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.preload": [scratch.PRELOAD],
    "distributed.scheduler.worker-ttl": "15s",  # of silence; Dask allows more where there are many
    "distributed.worker.daemon": False,  # hosts start processes
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
}


def configure(folder: str | None = None, certificates: Certificates | None = None) -> None:
    """Have Dask use these settings in this process, and log its warnings as our remarks.

    The arena reports a lost connection itself; Dask's own messages are for --verbose.

    Args:
        folder: where schedulers and hosts keep their files, see ``scratch_folder``. Without one
            this process can start none.
        certificates: with which all connections are made over TLS, both sides known.
    """
    dask.config.refresh(paths=[], env={})  # the defaults of its packages
    dask.config.set(_OURS | {"temporary-directory": folder or NOWHERE})
    if certificates is not None:
        certificate, key = str(certificates.certificate), str(certificates.key)
        dask.config.set({"distributed.comm.require-encryption": True})
        dask.config.set({"distributed.comm.tls.ca-file": certificate})
        for role in ROLES:
            dask.config.set({f"distributed.comm.tls.{role}": {"cert": certificate, "key": key}})
    for name in ("distributed", "tornado"):
        theirs = logging.getLogger(name)
        theirs.handlers[:] = [_Remarks()]
        theirs.setLevel(logging.WARNING)
        theirs.propagate = False
    for name in [one for one in logging.root.manager.loggerDict if one.startswith("distributed.")]:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.NOTSET)
        logging.getLogger(name).propagate = True


def environment(folder: str, certificates: Certificates | None = None) -> dict[str, str]:
    """Return the environment of a program of Dask's, with our settings and none of a user's.

    The arguments are as for ``configure``.
    """
    configure(folder, certificates)
    own = {name: value for name, value in os.environ.items() if not name.startswith("DASK_")}
    return {**own, INHERITED: dask.config.serialize(dask.config.config)}


class _Remarks(logging.Handler):
    """Passes on what Dask logs, as one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log the first line of a record's message; of one without any, that of its error."""
        text = record.getMessage().strip()
        if not text and record.exc_info is not None:
            text = f"{record.exc_info[1]}".strip()
        if text:
            log.info("%s: %s", record.name, text.splitlines()[0])
