"""``arena doctor``: what this machine offers, and what to do where that is not enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.output import print_rows
from arena.values.untrusted import show


@click.command("doctor", cls=options.BotCommand)
@options.flag("--sweep", help="End and remove what dead runs left behind.")
@options.cluster_options("The hosts of a cluster: tls://HOST:PORT of its scheduler.")
@options.exclusive("--cluster", "--sweep", why="--sweep is for this machine: use it on each host")
def command(sweep: bool, cluster: str | None, as_json: bool, home: Path, **tls: Any) -> int:
    """Show what this machine offers: isolation, timers, disk, languages, leftovers.

    This takes a few seconds, in which each isolation level and language starts a small program. The
    exit code is 0 if untrusted bots can be isolated and nothing is red, else 1.

    With --cluster every host of a cluster examines itself, and is a row of the table: its cores,
    the isolation levels and languages that work, how late its timers are, and what is wrong.

    \b
    Examples:
      arena doctor
      arena doctor --cluster tls://lab-01:8786 --certificates my-cluster
    """
    if cluster is not None:
        return _hosts(cluster, as_json=as_json, **tls)
    from arena.doctor import doctor

    checkup = doctor(home, sweep=sweep)
    rows = [
        {"state": one.state.value, "topic": one.topic, "what": one.what}
        | ({"remedy": one.remedy, "data": dict(one.data)} if as_json else {})
        for one in checkup.findings
    ]
    names = ("ok", "level", "isolates", "workers", "move_ms")
    head = {name: getattr(checkup, name) for name in names}
    print_rows(rows, as_json=as_json, **head)
    if not as_json:
        _print_remedies([(one.topic, one.remedy) for one in checkup.findings if one.remedy])
        click.echo(f"\n{checkup.summary()}")
    return 0 if checkup.ok else 1


def _hosts(address: str, *, as_json: bool, **tls: Any) -> int:
    """Print a row for each machine of a cluster; return the exit code."""
    from arena.cli.cluster import client

    with client(address, **tls) as hosts:
        from arena.doctor.hosts import look_at_hosts

        found = look_at_hosts(hosts)
    ok = bool(found) and not any(one.wrong for one in found)
    rows = [one._asdict() for one in found]
    for row in () if as_json else rows:
        del row["remedies"]  # which stand below the table
    print_rows(rows, as_json=as_json, nothing="No host has joined this cluster.", ok=ok)
    if not as_json:
        remedies = [(one.host, *remedy) for one in found for remedy in one.remedies]
        _print_remedies([(f"{show(host)}, {show(topic)}", text) for host, topic, text in remedies])
    return 0 if ok else 1


def _print_remedies(remedies: list[tuple[str, str]]) -> None:
    """Print what to do, topic by topic; texts to be copied keep their lines."""
    if remedies:
        click.echo("\nWhat to do:")
    for topic, remedy in remedies:
        first, *more = remedy.splitlines()
        click.echo(f"  {topic}: {show(first, 500)}")
        for line in more:
            click.echo(f"    {show(line, 500)}")
