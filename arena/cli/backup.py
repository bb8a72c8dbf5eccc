"""``arena backup``: all of a home as one file."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH, Command


@click.command("backup", cls=Command)
@click.argument("file", type=PATH)
def command(file: Path, home: Path) -> None:
    """Write this home to FILE: tournaments, records, bots and seeds. The home may be in use.

    FILE must not exist yet, and only you can read it. FILE holds every secret seed, and its bots
    run where it is restored. To share a tournament, create a bundle instead.

    \b
    Examples:
      arena backup ../course.tar
    """
    from arena.store.backup import back_up

    size = back_up(home, file)
    click.echo(f"{home} is in {file}: {size / 1e6:.1f} MB", err=True)
