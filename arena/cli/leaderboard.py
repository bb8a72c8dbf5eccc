"""``arena leaderboard``: ratings, results and faults of a tournament."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.output import format_option, home_option

__all__ = ["command"]


@click.command("leaderboard")
@click.argument("tournament", required=False)
@click.option("--game", metavar="GAME", help="Only the matches of this game.")
@click.option("--all", "merged", is_flag=True, help="All tournaments of this home together.")
@click.option("--crosstable", is_flag=True, help="Who did how against whom, and from which seat.")
@format_option
@home_option
def command(
    tournament: str | None,
    game: str | None,
    merged: bool,
    crosstable: bool,
    style: str,
    home: Path,
) -> None:
    """The leaderboard of TOURNAMENT (NAME or NAME#2), or of the one run last.

    \b
    Examples:
      arena leaderboard
      arena leaderboard quickstart --format json
      arena leaderboard --crosstable
    """
    from arena import report, standings

    if crosstable:
        table = standings.read_crosstable(home, tournament, game=game, merged=merged)
        click.echo(report.crosstable_text(table, style), nl=False)
    else:
        board = standings.read_leaderboard(home, tournament, game=game, merged=merged)
        click.echo(report.leaderboard_text(board, style), nl=False)
