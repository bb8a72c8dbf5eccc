"""``arena cluster``: what the machines of a cluster need besides ``dask scheduler``."""

from __future__ import annotations

import contextlib
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import click

from arena.cli.options import POSITIVE, home_option, sandbox_option, tls_options
from arena.cli.output import LineHandler
from arena.cli.stopping import exit_code, heed_signals, ignore_signals
from arena.cli.streams import forget_hung_up

__all__ = ["command"]

GO_ON = "matches that were being played here go to other hosts"


@click.group("cluster")
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

    Every machine of the cluster gets a copy of the folder: the one with the scheduler, the hosts
    that play, and the one that runs arena run --cluster. Anyone with its key can join the
    cluster, and run programs on all of these machines. They are valid for two years.

    \b
    Example:
      arena cluster certificates my-other-cluster
    """
    from arena.cluster.extra import cluster_packages

    with cluster_packages():
        from arena.cluster.certificates import make_certificates

    made = make_certificates(folder)
    for path in (made.authority, made.node, made.key):
        click.echo(path)
    click.echo(
        f"arena: copy {folder} to every machine of the cluster, and let nobody else read it; "
        f"commands take it as --certificates {folder}",
        err=True,
    )


@command.command("worker", short_help="Play for the cluster on this machine, until Ctrl-C.")
@click.argument("address", metavar="ADDRESS")
@click.option(
    "--workers",
    type=POSITIVE,
    metavar="N",
    show_default="all cores",
    help="How many matches at a time.",
)
@sandbox_option("auto")
@tls_options
@click.option("-v", "--verbose", is_flag=True, help="Say more of what happens.")
@home_option
def worker(
    address: str,
    workers: int | None,
    sandbox: str,
    certificates: Path | None,
    insecure: bool,
    verbose: bool,
    home: Path,
) -> int:
    """Play matches on this machine for the cluster at ADDRESS, until Ctrl-C.

    Start dask scheduler first, somewhere. There are N processes that play, each with its share of
    the cores. Bots are sent by arena run --cluster, kept in the home, and built there where they
    need building. They are isolated as at home: a machine that cannot do so as a tournament needs
    gets no match of it, and says so. When the scheduler is gone, the processes join again as soon
    as it is back.

    \b
    Examples:
      arena cluster worker tls://lab-01:8786 --certificates my-cluster
      arena cluster worker tcp://127.0.0.1:8786 --workers 2
    """
    heed_signals(GO_ON)
    try:
        with _lines(verbose=verbose):
            _serve(address, workers, sandbox, certificates, insecure, verbose, home)
    except KeyboardInterrupt as stopped:
        ignore_signals()
        with contextlib.suppress(OSError):  # the terminal may go away at any time
            click.echo(f"\narena: stopped; {GO_ON}", err=True)
        forget_hung_up()
        return exit_code(stopped)
    return 0


def _serve(
    address: str,
    count: int | None,
    sandbox: str,
    certificates: Path | None,
    insecure: bool,
    verbose: bool,
    home: Path,
) -> None:
    """Make sure that this machine can play, then have host processes do so."""
    from arena.cluster.addresses import scheduler_at
    from arena.cluster.extra import check_cluster_packages, cluster_packages
    from arena.cluster.nodes import Nodes, ready_for, shares

    with cluster_packages():
        scheduler = scheduler_at(address, certificates, insecure=insecure)
    check_cluster_packages()
    ready_for(scheduler, sandbox, home)
    cores = sorted(os.sched_getaffinity(0))
    words = [sys.executable, "-P", "-m", "arena", "--home", str(home.absolute())]
    words += ["cluster", "node", str(scheduler), "--sandbox", sandbox]
    words += ["--certificates", str(certificates.absolute())] if certificates else []
    words += ["--insecure"] * insecure + ["--verbose"] * verbose
    commands = [
        [*words, "--cores", ",".join(map(str, share)), *["--silent"] * (place > 0)]
        for place, share in enumerate(shares(count or len(cores), cores))
    ]
    many = f"{len(commands)} processes play" if len(commands) > 1 else "one process plays"
    click.echo(f"arena: {many} for {scheduler}; Ctrl-C ends it", err=True)
    with Nodes(commands) as nodes:
        nodes.watch()


@command.command("node", hidden=True)
@click.argument("address")
@click.option("--cores", required=True)
@click.option("--silent", is_flag=True)
@sandbox_option("auto")
@tls_options
@click.option("-v", "--verbose", is_flag=True, help="Say more of what happens.")
@home_option
def node(
    address: str,
    cores: str,
    silent: bool,
    sandbox: str,
    certificates: Path | None,
    insecure: bool,
    verbose: bool,
    home: Path,
) -> None:
    """Be one process of arena cluster worker, which starts it; its standard input is their bond."""
    from arena.cluster.addresses import scheduler_at
    from arena.cluster.extra import cluster_packages
    from arena.cluster.host import Place

    with cluster_packages():
        from arena.cluster.dask.node import serve_node

        scheduler = scheduler_at(address, certificates, insecure=insecure)
    place = Place(home, sandbox, tuple(map(int, cores.split(","))), not silent)
    with _lines(verbose=verbose):
        serve_node(scheduler, place, sys.stdin.fileno())
    os._exit(0)  # a build that is still going on would be waited for


def _lines(*, verbose: bool) -> AbstractContextManager[None]:
    """Have the arena's log shown as lines on stderr, in a block."""
    import logging

    from arena.logs import log_to

    handler = LineHandler(lambda line: click.echo(line, err=True))
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    return log_to([handler], logging.INFO if verbose else logging.WARNING)
