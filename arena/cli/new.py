"""``arena new``: a tournament file, to begin from."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH, CommandGroup, exclusive, names, text


@click.group("new", cls=CommandGroup)
def command() -> None:
    """Write a commented tournament file to start from.

    arena init makes a new bot, or a new game.

    \b
    Examples:
      arena new tournament cup.yaml --game leaves
    """


@command.command("tournament", short_help="Write a tournament file.")
@click.argument("file", type=PATH)
@text("--game", "G", "The game that is played.")
@names("--bots", "BOT,BOT...", "The bots, by names or paths.", show_default="all submitted ones")
@text("--from source", "NAME", "Copy a tournament that comes with the arena.")
@exclusive("--from", "--game", "--bots", why="the file that is copied says what is played")
def tournament(
    file: Path, game: str | None, bots: tuple[str, ...], source: str | None, home: Path
) -> None:
    """Write FILE, a tournament of game G, with a comment beside each key.

    Without --bots, all submitted bots of the home play; if there are none, greedy and random.
    arena tournaments --shipped lists what --from can copy.

    \b
    Examples:
      arena new tournament cup.yaml --game leaves
      arena new tournament first.yaml --from quickstart
      arena new tournament two.yaml --game the_tree --bots greedy,mcts
    """
    from arena.bots.new_tournament import copy_shipped, new_tournament

    if source is not None:
        copy_shipped(file, source)
    elif game is not None:
        new_tournament(file, game, home, bots)
    else:
        raise click.UsageError("expected --game G, or --from NAME")
    click.echo(f"{file} is a tournament: read it, then try: arena run {file} --dry-run")
