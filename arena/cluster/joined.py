"""The cluster that a command names: reached, or started where it is one of this machine alone."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from arena.bots.find import find_program
from arena.bots.travel import pack_bot
from arena.cluster.addresses import LocalCluster, Scheduler
from arena.cluster.handshake import greet
from arena.cluster.scratch import scratch_folder
from arena.values.errors import UsageError, WorkerError
from arena.values.extras import missing_extra

if TYPE_CHECKING:
    import distributed
    from distributed import Client as Client  # for other rooms
    from distributed import Future as Future

    from arena.cluster.coordinator import Cluster

SECONDS = 30.0  # to reach a scheduler


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
    try:
        import distributed

        from arena.cluster.coordinator import Cluster
    except ModuleNotFoundError as error:
        raise UsageError(missing_extra(error) or str(error)) from None
    with ExitStack() as running:
        if isinstance(where, Scheduler):
            client = client_of(where)
        else:
            folder = running.enter_context(scratch_folder())
            own = running.enter_context(_own_cluster(where.workers, home, sandbox, folder))
            client = distributed.Client(own)
        return Cluster(
            client,
            address=str(where),
            isolates=isolates,
            archive=lambda name, digest: pack_bot(find_program(name, digest, home), None),
            running=running.pop_all(),
        )


def client_of(where: Scheduler) -> distributed.Client:
    """Return a client that is connected to a scheduler; close it in the end.

    Raises:
        UsageError: the scheduler does not take our certificate.
        WorkerError: nobody answers there.
    """
    import distributed

    from arena.cluster.settings import configure

    configure(certificates=where.certificates)
    greet(where)
    try:
        return distributed.Client(str(where), timeout=SECONDS, direct_to_workers=False)
    except OSError as error:
        raise WorkerError(f"{where} cannot be reached: {error}") from None


def _own_cluster(workers: int, home: Path, sandbox: str, folder: str) -> distributed.LocalCluster:
    """Start a scheduler and host processes of this machine, which end with this process.

    They talk over TLS with a key that is in no file, since anyone who reaches a scheduler can run
    anything.
    """
    import distributed

    from arena.cluster.host import ENVIRONMENTS, HOME, SANDBOX
    from arena.cluster.settings import PRELOAD, configure

    configure(folder)
    loopback = "127.0.0.1:0"  # for ports on which nothing is served
    try:
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,
            protocol="tls",
            security=distributed.Security.temporary(),
            dashboard_address=loopback,
            worker_dashboard_address=loopback,
            preload=[PRELOAD],
            env={
                HOME: str(home.absolute() / "hosts"),
                ENVIRONMENTS: str(home.absolute()),
                SANDBOX: sandbox,
            },
        )
    except (OSError, RuntimeError, TimeoutError) as error:
        raise WorkerError(f"the local cluster cannot be started: {error}") from None
