"""``arena restore``: a home from a backup of it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from arena.cli.options import PATH, Command
from arena.terminal.streams import print_message


@click.command("restore", cls=Command)
@click.argument("file", type=PATH)
def command(file: Path, home: Path) -> None:
    """Make a home from FILE, which arena backup wrote. The home must be new or empty.

    A backup is trusted as much as your own home. From other people, take a bundle instead.

    \b
    Examples:
      arena restore ../course.tar --home course
    """
    from arena.store.backup import restore

    if file.stat().st_uid not in (os.geteuid(), 0):
        print_message(
            "this backup belongs to another user of this machine; its bots and environments are "
            "trusted as your own. From somebody else take a bundle (arena bundle import)"
        )
    restore(file, home)
    click.echo(f"{home} is as it was when {file} was written", err=True)
