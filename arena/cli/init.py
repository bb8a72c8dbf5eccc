"""``arena init``: a new bot that works, to begin from."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from arena.cli.options import home_option

__all__ = ["command"]


@click.command("init")
@click.argument("name")
@click.option(
    "--language",
    default="python",
    metavar="L",
    help="Of the bot: awk, c, cpp, go, java, javascript, python, rust or shell.",
)
@click.option("--game", metavar="G", show_default="any", help="The only game it plays.")
@home_option
def command(name: str, language: str, game: str | None, home: Path) -> None:
    """Make a folder NAME with a bot in it that works: it plays a random legal action.

    Its one file speaks the whole protocol; change what it calls choose. Nothing is written to the
    arena's home: --home is for the commands that are shown then.

    \b
    Examples:
      arena init oak
      arena init elm --language c --game leaves
    """
    from arena.bots.new_bot import new_bot

    made = new_bot(name, Path(), language=language, game=game)
    folder = f"./{made.folder}"
    click.echo(f"{folder}/ is a bot that plays a random legal action: change {made.source}")
    usual = Path(os.environ.get("ARENA_HOME") or ".arena")
    where = () if home == usual else ("--home", str(home))
    click.echo("Try it:")
    for words in (
        ("play", game or "leaves", folder, "random", "--watch"),
        ("check", folder, *([game] if game else [])),
        ("submit", folder, "--name", name),
    ):
        click.echo(f"  {shlex.join(('arena', *words, *where))}")
