"""``arena backup``: all of a home as one file."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH, home_option

__all__ = ["command"]


@click.command("backup")
@click.argument("file", type=PATH)
@home_option
def command(file: Path, home: Path) -> None:
    """Write all of this home into FILE: tournaments, records, bots, seeds; while it is in use, too.

    FILE is new, and only you can read it. Whoever has it can read every secret seed, and its bots
    start where it is restored: give somebody else a bundle.

    \b
    Examples:
      arena backup ../course.tar
    """
    from arena.store.backup import back_up

    size = back_up(home, file)
    click.echo(f"{home} is in {file}: {size / 1e6:.1f} MB", err=True)
