"""``arena conformance``: check a game's engine for what every engine promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from arena.cli.options import flag, positive, text


@click.command("conformance")
@click.argument("game")
@flag("--variants", help="Check all combinations of parameters that are worth a check.")
@positive("--games", "N", "Random games to play.", default=10)
@text(
    "--seconds",
    "N",
    "Leave out what is not checked after so many seconds.",
    type=click.FloatRange(0, min_open=True),
)
@positive(
    "--max-length",
    "N",
    "The most actions of a game; without N, what the game's type states, or 10,000.",
)
def command(
    game: str, variants: bool, games: int, seconds: float | None, max_length: int | None
) -> int:
    """Check that the engine of GAME keeps the promises of the interface.

    Random games are played, and many of their positions are tried: texts, legal and illegal
    actions, hidden information, drops, pictures, playouts. One game is played again in a second
    process with another hash seed and a later clock. If a promise is broken, the exit code is 1,
    and the position is printed, with what was expected and what was found.

    \b
    Examples:
      arena conformance leaves
      arena conformance "the_tree(players=4)" --games 5 --seconds 60
    """
    from arena.terminal.output import work_bar
    from arena.values.untrusted import show_lines
    from engines.core.conformance import broken_promise, chosen

    for name in chosen(game, every_variant=variants):
        with work_bar("game") as progress:
            found = broken_promise(
                name, seeds=_shown(games, progress), max_length=max_length, seconds=seconds
            )
        if found:
            click.echo(show_lines(found))
            return 1
        click.echo(f"{name} keeps its promises")
    return 0


def _shown(games: int, progress: Callable[[int, int], None]) -> Iterator[int]:
    """Yield the seeds of so many games; each is asked for when the game before it was checked."""
    for seed in range(games):
        progress(seed, games)
        yield seed
