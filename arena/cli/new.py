"""``arena new``: a tournament file, to begin from."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH

__all__ = ["command"]


@click.group("new")
def command() -> None:
    """Write a tournament file, with comments, to begin from.

    arena init makes a new bot, or a new game.

    \b
    Examples:
      arena new tournament cup.yaml --game leaves
    """


@command.command("tournament")
@click.argument("file", type=PATH)
@click.option("--game", required=True, metavar="G", help="What is played.")
@click.option(
    "--bots",
    default="all",
    metavar="BOT,BOT...",
    help="Who plays: names; all are the submitted ones.",
)
def tournament(file: Path, game: str, bots: str) -> None:
    """Write FILE, a tournament of game G, with a comment beside each key.

    \b
    Examples:
      arena new tournament cup.yaml --game leaves
      arena new tournament two.yaml --game the_tree --bots greedy,mcts
    """
    from arena.tournament.new_file import new_file
    from arena.values.errors import UsageError
    from engines import load_game

    rules = load_game(game)
    alike = rules.type.chance == "deterministic"
    names = [name.strip() for name in bots.split(",") if name.strip()]
    text = new_file(str(file), str(rules), names, alike=alike)
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise UsageError(f"{file} is there already, and is left as it is") from None
    click.echo(f"{file} is a tournament: read it, then try: arena run {file} --dry-run")
