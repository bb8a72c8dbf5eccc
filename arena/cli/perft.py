"""``arena perft``: count the action sequences of a game, to compare engines."""

from __future__ import annotations

import click

from arena.cli.options import NATURAL, text


@click.command("perft")
@click.argument("game")
@click.argument("depth", type=NATURAL)
@text("--setup", "TEXT", "Start from this position or deal.")
def command(game: str, depth: int, setup: str | None) -> None:
    """Count the action sequences of GAME of each length up to DEPTH, one length in a line.

    \b
    Examples:
      arena perft leaves 3
      arena perft "leaves(tree=u,push=any,turns=free)" 2
    """
    import engines

    state = engines.load_game(game).new_initial_state(setup)
    for d in range(min(1, depth), depth + 1):
        click.echo(f"{d} {engines.perft(state, d)}")
