"""The cluster that a command names: reached, or started where it is one of this machine alone."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from arena.bots.find import find_program
from arena.bots.travel import pack_bot
from arena.cluster import host, terms
from arena.cluster.addresses import LocalCluster, Scheduler
from arena.cluster.coordinator import Cluster
from arena.cluster.extra import cluster_packages
from arena.cluster.handshake import greet
from arena.cluster.hosts import HostFunctions

__all__ = ["join_cluster"]


def join_cluster(
    where: LocalCluster | Scheduler, home: Path, *, sandbox: str, isolates: bool
) -> Cluster:
    """Return a cluster whose hosts may be given matches; stop it in the end.

    Args:
        where: what a person named.
        home: the arena's home, where bots lie.
        sandbox: the level at which bots run, or ``auto``.
        isolates: whether that level must isolate bots.

    Raises:
        UsageError: the extra is not installed, or the scheduler does not take our certificate.
        WorkerError: nobody answers there, or no cluster can be started here.
    """
    with cluster_packages():
        from arena.cluster.dask.client import DaskLink
        from arena.cluster.local_cluster import OwnCluster
    with ExitStack() as running:
        own: OwnCluster | None = None
        if isinstance(where, Scheduler):
            greet(where)
            link = DaskLink(str(where), where.certificates)
        else:
            own = OwnCluster(where.workers, home, sandbox)
            running.callback(own.close)
            link = DaskLink(own.address, own.certificates)
        return Cluster(
            link,
            HostFunctions(terms.versions, host.look, host.take_bot, host.play),
            address=str(where),
            sandbox=sandbox,
            isolates=isolates,
            archive=lambda name, digest: pack_bot(find_program(name, digest, home)),
            check=_nothing if own is None else own.check,
            running=running.pop_all(),
        )


def _nothing() -> None:
    """Look after nothing: a cluster of others."""
