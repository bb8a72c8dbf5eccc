"""``arena games``: which games there are, the rules of one, and the decks it can be played with."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import Command, file, needs
from arena.terminal.output import print_json, print_rows
from arena.terminal.streams import print_message

if TYPE_CHECKING:
    from engines import Game, Parameter

# room on a terminal
GIVE = (("parameters", 12), ("title", 10), ("name", 16))
MAX_BYTES = 1 << 20  # of a deck file
MESSAGE_LINE = 1000  # characters of what is wrong with a plug-in


@click.command("games", cls=Command)
@click.argument("game", required=False)
@file("--decks", "FILE", "Check a deck file and print the setup line of each deck.")
@needs("--decks", "GAME")
def command(game: str | None, decks: Path | None, as_json: bool) -> None:
    """List the games; with GAME, print its type, parameters, decks and rules.

    The type says whether players act at once, whether the deal depends on the seed, whether
    anything is hidden from a player, and how many actions a game can have.

    A setup line can start a match (play --setup), and a file of setup lines can start those of a
    tournament (opening: {file: F}).

    \b
    Examples:
      arena games
      arena games leaves
      arena games arborius --decks my.decks > my-setups.txt
    """
    import engines

    if game is None:
        _print_all(as_json)
    elif decks is not None:
        _print_setups(engines.load_game(game), decks, as_json)
    else:
        _print_one(engines.load_game(game), as_json)


def _print_all(as_json: bool) -> None:
    import engines
    from arena.values.untrusted import show
    from engines.core.registry import broken_plugins

    rows = [_describe(engines.load_game(name)) for name in engines.game_names()]
    for row in () if as_json else rows:
        row["parameters"] = list(row["parameters"])
        del row["type"]  # of the parameters' defaults; ``arena games GAME`` shows it
    print_rows(rows, as_json=as_json, nothing="There are no games.", give=GIVE)
    for line in broken_plugins():
        print_message(show(line, MESSAGE_LINE))


def _print_one(game: Game, as_json: bool) -> None:
    from engines.core.pages import rules_page

    rules = rules_page(game.name)
    if as_json:
        print_json({**_describe(game), "decks": game.decks(), "rules": rules})
        return
    lines = [f"{game.title}: {game.name}\n", f"Type of {game}: {_facts(game)}\n"]
    if game.PARAMETERS:
        lines.append("Parameters (the default first):")
    width = max((len(_values(p)) for p in game.PARAMETERS), default=0)
    lines += [f"  {p.name:<12} {_values(p):<{width}}  {p.meaning}" for p in game.PARAMETERS]
    if game.decks():
        lines.append("\nDecks (--decks FILE reads your own):")
    lines += [f"  {name:<12} {', '.join(_counted(of))}" for name, of in game.decks().items()]
    click.echo_via_pager("\n".join([*lines, f"\n{rules.rstrip()}"]))


def _print_setups(game: Game, path: Path, as_json: bool) -> None:
    from arena.tournament.text_files import read_text

    setups = game.deck_setups(read_text(path, MAX_BYTES), str(path))
    if as_json:
        rows = [{"deck": deck, "setup": setup} for deck, setup in setups.items()]
        print_rows(rows, as_json=True, game=str(game))
        return
    for setup in setups.values():
        click.echo(setup)


def _describe(game: Game) -> dict[str, Any]:
    from engines.core.interface import UNSTATED

    return {
        "name": game.name,
        "title": game.title,
        "players": game.num_players,
        "parameters": {
            p.name: [str(p.values[0]), str(p.values[-1])]
            if isinstance(p.values, range)
            else list(p.values or ())
            for p in game.PARAMETERS
        },
        "rules_version": game.rules_version,
        "type": None if game.type is UNSTATED else game.type._asdict(),
    }


def _facts(game: Game) -> str:
    """Write a game's type in words."""
    from engines.core.interface import UNSTATED

    kind = game.type
    if kind is UNSTATED:
        return "not stated"
    most = kind.max_game_length
    length = (
        "no limit known to the number of actions" if most is None else f"at most {most} actions"
    )
    return f"{kind.dynamics}, {kind.chance}, {kind.information} information, {length}"


def _values(parameter: Parameter) -> str:
    values = parameter.values
    if isinstance(values, range):
        return f"{parameter.default_value()}; {values[0]} to {values[-1]}"
    return ", ".join(values) if values else str(parameter.default_value())


def _counted(items: Iterable[str]) -> list[str]:
    """Return the items, those that follow their like only counted: ``oak*2``."""
    runs = [(item, len(list(run))) for item, run in itertools.groupby(items)]
    return [item if count == 1 else f"{item}*{count}" for item, count in runs]
