"""``arena show``: step through a match, board by board."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli import options
from arena.terminal.output import print_keys
from arena.terminal.result_file import result_file, write_result
from arena.values.errors import UsageError


@click.command("show", cls=options.Command)
@click.argument("match")
@options.natural("--at", "N", "Show only the position after N actions.")
@options.file("--svg", "FILE", "Draw the position of --at, or the last one, into FILE.")
@options.file("--html", "FILE", "Write a page to step through the match in a browser.")
@options.natural("--seat player", "P", "Show only what the player in seat P could know.")
@options.color_option
@options.exclusive("--json", "--at", "--svg", "--seat", "--color", why="JSON is the whole record")
@options.exclusive("--html", "--json", "--svg", "--color")
@options.exclusive(
    "--html", "--at", why="a page has all positions; its address ends in one, such as #12"
)
@options.exclusive("--svg", "--color")
def command(
    match: str,
    at: int | None,
    svg: Path | None,
    html: Path | None,
    player: int | None,
    color: bool,
    as_json: bool,
    home: Path,
) -> None:
    """Show MATCH: an id, the unique beginning of one, or a record file.

    The page of --html is one file that needs no network. It shows boards, actions, times, and what
    the bots wrote and reported. Its address ends in the position, such as #12.

    \b
    Examples:
      arena show 1ac9
      arena show 1ac9 --html match.html
      arena show match.json --at 7 --svg board.svg
    """
    if html is not None:
        from arena.site.match_page import match_page

        with result_file(html) as file:
            file.write(match_page(match, home, player=player))
        click.echo(f"wrote {html}", err=True)
        return
    from arena.record.record import format_record
    from arena.record.seen import seen_record
    from arena.report.match_text import action_line, last_action, match_summary, names_of
    from arena.review.reproduction import find_record, positions

    record = find_record(match, home, shown=True)
    if as_json:
        from arena.tournament.secret_variables import named_keys

        click.echo(format_record(record))
        print_keys(named_keys((player.bot, dict(player.env)) for player in record.players))
        return
    states, names = positions(record), names_of(record)
    if player is not None:
        record = seen_record(record, states, player)
    if at is not None and at >= len(states):
        raise UsageError(f"the match has no position {at}: expected 0 to {len(states) - 1}")
    if svg is not None:
        index = len(states) - 1 if at is None else at
        picture = states[index].draw(player, names=names, last=last_action(record, index))
        write_result(svg, picture + "\n")
        return
    if at is None:
        click.echo(match_summary(record, color=color), nl=False, color=color)
    for index, state in enumerate(states):
        if at is None or at == index:
            last = last_action(record, index)
            board = state.draw_text(player, names=names, last=last, color=color)
            click.echo(f"\n{action_line(record, index, color=color)}\n{board}", color=color)
