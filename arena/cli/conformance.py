"""``arena conformance``: hold a game's engine against what every engine promises."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("conformance")
@click.argument("game")
@click.option("--variants", is_flag=True, help="Check all combinations of parameters worth it.")
def command(game: str, variants: bool) -> int:
    """Check that the engine of GAME keeps the promises of the interface.

    Random games are played, and many of their positions are tried: texts, legal and illegal
    actions, hidden things, drops, pictures, playouts. Exit code 1 if a promise is broken, with the
    position, what was expected and what came.

    \b
    Examples:
      arena conformance leaves
      arena conformance "the_tree(players=4)"
    """
    from arena.values.untrusted import show_lines
    from engines.core.conformance import broken_promise, chosen

    for name in chosen(game, every_variant=variants):
        if found := broken_promise(name):
            click.echo(show_lines(found))
            return 1
        click.echo(f"{name} keeps its promises")
    return 0
