"""``arena submit``: check a bot, keep a copy of it, and give it a version."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.output import home_option
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="What to call it.")
@click.option("--game", metavar="GAME", help="Try it in this game.  [its bot.yaml's first, leaves]")
@click.option("--allow-unsafe", is_flag=True, help="Try it even if nothing isolates it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@home_option
def command(
    path: Path, name: str, game: str | None, allow_unsafe: bool, as_json: bool, home: Path
) -> None:
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
    import json

    from arena.submit import submit

    done = submit(path, name, home, game=game, allow_unsafe=allow_unsafe)
    if as_json:
        click.echo(
            json.dumps(
                {"bot": done.name, "version": done.version, "hash": done.hash, "new": done.new}
            )
        )
    elif done.new:
        click.echo(f"{done.name} version {done.version} is submitted ({done.hash[:19]})")
    else:
        click.echo(f"{done.name} version {done.version} has this content already")
