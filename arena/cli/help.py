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
    from arena.values.errors import near_miss
    from arena.values.shipped import page_names, read_page

    ctx = click.get_current_context().find_root()
    page = read_page(topic[0]) if len(topic) == 1 and topic[0] in page_names() else ""
    for number, name in enumerate(topic):
        group = ctx.command
        found = group.get_command(ctx, name) if isinstance(group, click.Group) else None
        if found is None and page:
            break
        if found is None:
            known = [*(group.list_commands(ctx) if isinstance(group, click.Group) else ())]
            near = near_miss(name, known + (page_names() if number == 0 else []))
            near = (number == 0 and _game_or_pages(name)) or near
            raise click.UsageError(f'there is no command or page "{" ".join(topic)}"{near}')
        ctx = click.Context(found, info_name=name, parent=ctx)
    if page:
        click.echo_via_pager(f"{ctx.get_help()}\n\n{page}" if ctx.parent else page)
        return
    click.echo(ctx.get_help())
    if not topic:
        click.echo("\nPages (arena help PAGE):")
        click.echo(click.wrap_text(", ".join(page_names()), 78, "  ", "  "))


def _game_or_pages(name: str) -> str:
    """Return the end of a sentence: where a game is described, or which pages have a word."""
    from arena.values.shipped import page_names
    from engines import game_names

    if name in game_names():
        return f"; for the game: arena games {name}"
    pages = [page for page in page_names() if name.lower() in page.split("-")]
    return f"; there is {', '.join(pages)}" if pages else ""
