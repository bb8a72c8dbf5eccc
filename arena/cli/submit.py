"""``arena submit``: check a bot, keep a copy of it, and give it a version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import home_option, json_option
from arena.cli.output import print_json
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="What to call it.")
@click.option("--game", metavar="GAME", help="Try it in this game.  [its bot.yaml's first, leaves]")
@click.option("--allow-unsafe", is_flag=True, help="Try it even if nothing isolates it.")
@json_option
@home_option
def command(path: Path, name: str, as_json: bool, home: Path, **options: Any) -> None:
    """Check the bot at PATH and keep it as the next version of NAME.

    PATH is a file, a folder, or an archive of one (.zip, .tar, .tar.gz). The bot is built, greeted,
    asked, and plays a whole game in each seat against random: the first steps of arena check. The
    same content again is the same version. Exit code 1 if it breaks the protocol; the step that
    failed is shown, with how to fix it.

    \b
    Examples:
      arena submit my_bot.py --name mine
      arena submit bots/greedy_python --name mine --game "leaves(tree=u)"
    """
    heed_signals()
    from arena.submit import submit

    done = submit(path, name, home, **options)
    if as_json:
        found = {"bot": done.name, "version": done.version, "hash": done.hash}
        print_json({**found, "new": done.new}, lines=False)
    elif done.new:
        click.echo(f"{done.name} version {done.version} is submitted ({done.hash[:19]})")
    else:
        click.echo(f"{done.name} version {done.version} has this content already")
