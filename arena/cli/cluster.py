"""``arena cluster``: what the machines of a cluster need besides ``dask scheduler``."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.cli.options import BotCommand, CommandGroup, flag
from arena.terminal.output import print_rows, shown_log
from arena.terminal.stopping import set_last_words
from arena.terminal.streams import print_message

if TYPE_CHECKING:
    from arena.cluster.joined import Client

GO_ON = "matches that were being played here go to other hosts"


@click.group("cluster", cls=CommandGroup)
def command() -> None:
    """Prepare the machines of a cluster, on which arena run --cluster plays.

    \b
    Examples:
      arena cluster certificates my-cluster
      arena cluster worker tls://lab-01:8786 --certificates my-cluster
    """


@command.command("certificates", short_help="Make the certificates of a cluster.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def certificates(folder: Path) -> None:
    """Make certificates for a cluster, in a new folder DIR.

    Every machine of the cluster gets a copy of DIR: the machine with the scheduler, the hosts that
    play, and the machine that runs arena run --cluster. Anyone with the key in DIR can join the
    cluster, and run programs on all of these machines. The certificates are valid for two years.

    \b
    Example:
      arena cluster certificates my-other-cluster
    """
    from arena.cluster.certificates import make_certificates

    made = make_certificates(folder)
    for path in (made.certificate, made.key):
        click.echo(path)
    print_message(
        f"copy {folder} to every machine of the cluster, and let nobody else read it; "
        f"commands take it as --certificates {folder}"
    )


@command.command("scheduler", short_help="Run the scheduler of a cluster, until Ctrl-C.")
@click.argument("address", metavar="ADDRESS")
@options.tls_options
@flag("-v", "--verbose", help="Say more of what happens.")
def scheduler(address: str, verbose: bool, **tls: Any) -> None:
    """Run Dask's scheduler at ADDRESS, an address of this machine, until Ctrl-C.

    This is dask scheduler with the options that a cluster of the arena needs: TLS, and Dask's pages
    on the loopback of this machine only, at port 8787.

    \b
    Examples:
      arena cluster scheduler tls://0.0.0.0:8786 --certificates my-cluster
      arena cluster scheduler tcp://127.0.0.1:8786
    """

    with _until_stopped("runs on this cluster end", verbose=verbose):
        from arena.cluster.addresses import scheduler_at
        from arena.cluster.programs import check_address, run_scheduler

        where = scheduler_at(address, **tls)
        check_address(where)
        print_message(f"the scheduler is {where}; Ctrl-C ends it")
        run_scheduler(where)


@command.command(
    "worker", cls=BotCommand, short_help="Play for the cluster on this machine, until Ctrl-C."
)
@click.argument("address", metavar="ADDRESS")
@options.positive("-j --workers", "N", "How many matches play at a time.", show_default="all cores")
@options.sandbox_option("auto")
@options.tls_options
@options.text("--port", "FIRST:LAST", "Ports to listen on, two for each match.", default="")
@flag("-v", "--verbose", help="Say more of what happens.")
def worker(
    address: str,
    workers: int | None,
    sandbox: str,
    port: str,
    verbose: bool,
    home: Path,
    **tls: Any,
) -> None:
    """Play matches on this machine for the cluster at ADDRESS, until Ctrl-C.

    Start arena cluster scheduler first, on any machine. This is dask worker with
    --preload arena.cluster.host: N processes play, each on a core of its own. arena run --cluster
    sends the bots, which are kept in the home, and built there if needed. They are isolated as in a
    local run: a machine that cannot isolate them as a tournament asks gets no match of it, and
    reports that. When the scheduler is gone, the processes join again as soon as it is back.

    \b
    Examples:
      arena cluster worker tls://lab-01:8786 --certificates my-cluster
      arena cluster worker tcp://127.0.0.1:8786 --workers 2
    """

    with _until_stopped(GO_ON, verbose=verbose):
        from arena.cluster.addresses import scheduler_at
        from arena.cluster.programs import run_hosts
        from arena.machine.cores import whole_cores

        where = scheduler_at(address, **tls)
        processes = workers or whole_cores()
        many = f"{processes} processes play" if processes > 1 else "one process plays"
        print_message(f"{many} for {where}; Ctrl-C ends it")
        run_hosts(where, processes, home, sandbox=sandbox, ports=port)


@command.command("status", short_help="List the machines of a cluster, and what they play.")
@click.argument("address", metavar="ADDRESS")
@options.tls_options
def status(address: str, as_json: bool, **tls: Any) -> None:
    """List the machines of the cluster at ADDRESS: what each plays, how much, and what it lost.

    The numbers count from the time when each machine joined, and for the last minute.

    \b
    Example:
      arena cluster status tls://lab-01:8786 --certificates my-cluster
    """
    with client(address, **tls) as hosts:
        from arena.cluster.overview import cluster_status

        rows = cluster_status(hosts)
    print_rows(rows, as_json=as_json, nothing="No host has joined this cluster.")


def client(address: str, **tls: Any) -> Client:
    """Return a connection to a scheduler, to be closed; ``tls`` as options give it."""
    from arena.cluster.addresses import scheduler_at
    from arena.cluster.joined import client_of

    return client_of(scheduler_at(address, **tls))


def _until_stopped(last_words: str, *, verbose: bool) -> AbstractContextManager[None]:
    """Return a block for what runs until it is stopped; it shows the arena's log on stderr."""
    set_last_words(last_words)
    return shown_log(lambda line: click.echo(line, err=True), verbose=verbose)
