"""``arena environments``: folders whose programs may start bots, which then can read them."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH, CommandGroup
from arena.terminal.output import print_rows
from arena.values.untrusted import show


@click.group("environments", cls=CommandGroup)
def command() -> None:
    """Name folders whose programs may start bots, such as a virtual environment with packages.

    A bot.yaml whose start names a program by an absolute path needs such a folder, unless the
    program belongs to the system or to a language. Any bot whose start names a program in such a
    folder can read the whole folder, even a bot that was handed in.

    \b
    Examples:
      arena environments list
      arena environments list --json
    """


@command.command("add", short_help="Name a folder.")
@click.argument("name")
@click.argument("folder", metavar="DIR", type=PATH)
def add(name: str, folder: Path, home: Path) -> None:
    """Name the folder DIR, whose programs may then start bots that can read all of it.

    The home folder of a user, and a folder with the arena's home or cache in it, is refused.

    \b
    Example:
      arena environments add science /opt/science
    """
    from arena.bots.environments import add_environment

    made = add_environment(home, name, folder)
    click.echo(f"{made.name} is {show(made.folder)}; bots that name it can read all of it")


@command.command("list", short_help="List the folders that were named.")
def list_(as_json: bool, home: Path) -> None:
    """List the folders that were named, and why bots are not shown one of them.

    For a virtual environment, packages is the SHA-256 of what is installed there, which must be the
    same on all hosts of a cluster.

    \b
    Example:
      arena environments list
    """
    from arena.bots.environments import list_environments, packages_in

    rows = [{**one._asdict(), "packages": packages_in(one)} for one in list_environments(home)]
    print_rows(rows, as_json=as_json, nothing="There are no environments in this home.")


@command.command("remove", short_help="Take a name back.")
@click.argument("name")
def remove(name: str, home: Path) -> None:
    """Take back the name of a folder; the folder stays, and bots are not shown it any more.

    \b
    Example:
      arena environments remove science
    """
    from arena.bots.environments import remove_environment

    gone = remove_environment(home, name)
    click.echo(f"{gone.name} is removed; bots are not shown {show(gone.folder)} any more")
