"""``arena help``: the help of a command, or a page of the documentation."""

from __future__ import annotations

import click


@click.command("help")
@click.argument("topic", nargs=-1, metavar="[COMMAND | PAGE]")
def command(topic: tuple[str, ...]) -> None:
    """Print the help of a command, or a page of the documentation.

    A name of both, such as bots, prints both. Without a topic, print the list of commands and the
    names of the pages.

    \b
    Examples:
      arena help run
      arena help tournaments remove
      arena help protocol
    """
    from arena.cli.main import COMMANDS, arena
    from arena.values.errors import near_miss
    from arena.values.shipped import page_names, read_page

    name, pages = " ".join(topic), page_names()
    ctx = click.get_current_context()
    found: click.Command | None = arena
    for word in topic:
        found = found.get_command(ctx, word) if isinstance(found, click.Group) else None
    is_command = found is not None
    if not is_command and name not in pages:
        near = _game_or_pages(name) or near_miss(name, [*COMMANDS, *pages])
        raise click.UsageError(f'there is no command or page "{name}"{near}')
    if is_command:
        arena.main([*topic, "--help"], prog_name="arena", standalone_mode=False)
    if name in pages:
        click.echo_via_pager(["\n" * is_command, read_page(name)])
    if not topic:
        click.echo("\nPages (arena help PAGE):")
        click.echo(click.wrap_text(", ".join(pages), 78, "  ", "  "))


def _game_or_pages(name: str) -> str:
    """Return the end of a sentence: where a game is described, or which pages have a word."""
    from arena.values.shipped import page_names
    from engines import game_names

    if name in game_names():
        return f"; for the game: arena games {name}"
    pages = [page for page in page_names() if name.lower() in page.split("-")]
    return f"; there is {', '.join(pages)}" if pages else ""
