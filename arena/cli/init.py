"""``arena init``: a new bot that works, to begin from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.options import Command, exclusive, named_home, needs, text


@click.command("init", cls=Command)
@click.argument("name", required=False)
@text(
    "--language",
    "L",
    "Language of the bot: awk, c, cpp, go, java, javascript, python, rust or shell.",
    default="python",
)
@text(
    "--game",
    "G",
    "The only game of the bot; without NAME, the new game to make.",
    show_default="any",
)
@click.option(
    "--like",
    type=click.Choice(["nim", "sealed", "dice"]),
    default="nim",
    help="What a new game starts from: a plain one, one with secrets, one with dice.",
)
@click.option(
    "--kit",
    type=click.Choice(["chat", "uci", "gtp", "botzone"]),
    help="Make a bot that asks a model on a server, or runs a program of another protocol.",
)
@exclusive("--kit", "--language", "--like", why="such a bot is in Python")
@needs("--kit", "NAME")
def command(
    name: str | None, language: str, game: str | None, like: str, kit: str | None, home: Path
) -> None:
    """Make a folder NAME with a working bot, which plays random legal actions.

    The bot's one source file speaks the whole protocol: change the function choose. Nothing is
    written to the arena's home; --home is for the commands that are shown at the end.

    --kit chat makes a bot that asks a model for its actions; its file lists the variables that name
    the server and the model. --kit uci, gtp and botzone make a bot that runs a program of that
    protocol; its bot.yaml names the program.

    Without NAME, make a folder G with a new game: a package with a small engine and a rules page,
    which you change into your own.

    \b
    Examples:
      arena init oak
      arena init elm --language c --game leaves
      arena init gpt --kit chat
      arena init --game my_game
      arena init --game my_cards --like sealed
    """
    from arena.bots.new_bot import new_bot

    if name is None:
        _init_game(game, like)
        return
    source, observation = new_bot(name, Path(), language=language, game=game, kit=kit)
    if kit == "chat":
        click.echo(f"{source} asks a model; to enter it: arena help a-league-of-models")
        return
    if kit is not None:
        click.echo(f"./{name}/ lets a program play: name it in {name}/bot.yaml")
        return
    folder = f"./{name}"
    click.echo(f"{folder}/ is a bot that plays a random legal action: change {source}")
    if observation:
        click.echo(f"It gets the position (obs) as in: {observation}")
        click.echo(f"What that means: arena games {game}")
    click.echo("Try it:")
    for words in (
        ("play", game or "leaves", folder, "random", "--watch"),
        ("check", folder, *([game] if game else [])),
        ("submit", folder, "--name", name),
    ):
        click.echo(f"  {shlex.join(('arena', *words))}{named_home(home)}")


def _init_game(name: str | None, like: str) -> None:
    from arena.bots.new_game import new_game

    if name is None:
        raise click.UsageError("expected the NAME of a bot, or --game with the name of a new game")
    folder = f"./{new_game(name, Path(), like)}"
    click.echo(f"{folder}/ is a game that works: change {folder}/{name}_game/__init__.py")
    click.echo("Install it beside the arena, then try it:")
    for words in (
        ("pip", "install", "-e", folder),
        ("arena", "conformance", name),
        ("arena", "play", name, "greedy", *["random"] * (2 if like == "dice" else 1)),
    ):
        click.echo(f"  {shlex.join(words)}")
