"""``arena cluster``: what the machines of a cluster need besides ``dask scheduler``."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.group("cluster")
def command() -> None:
    """Make ready the machines of a cluster, on which arena run --cluster plays.

    \b
    Example:
      arena cluster certificates my-cluster
    """


@command.command("certificates", short_help="Make the certificates of a cluster.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def certificates(folder: Path) -> None:
    """Make certificates for a cluster, in a new folder DIR.

    Every machine of the cluster gets a copy of the folder: the one with the scheduler, the hosts
    that play, and the one that runs arena run --cluster. Whoever has the key in it is in the
    cluster, and can run programs on all of these machines. They are valid for two years.

    \b
    Example:
      arena cluster certificates my-other-cluster
    """
    from arena.workers.extra import cluster_packages

    with cluster_packages():
        from arena.workers.certificates import make_certificates

    made = make_certificates(folder)
    for path in (made.authority, made.node, made.key):
        click.echo(path)
    click.echo(
        f"arena: copy {folder} to every machine of the cluster, and let nobody else read it; "
        f"commands take it as --certificates {folder}",
        err=True,
    )
