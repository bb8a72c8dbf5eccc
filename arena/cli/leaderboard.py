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
@click.option("--bracket", is_flag=True, help="The bracket of a knockout, as a tree or JSON.")
@click.option("--times", is_flag=True, help="Also the mean time a decision.")
@format_option
@home_option
def command(
    tournament: str | None,
    game: str | None,
    merged: bool,
    crosstable: bool,
    bracket: bool,
    times: bool,
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
    from arena.report import crosstable_text, leaderboard_text
    from arena.standings import read_bracket, read_crosstable, read_leaderboard

    if bracket:
        if crosstable or merged or game is not None or style not in ("table", "json"):
            raise click.UsageError("--bracket goes with one tournament, as a tree or --json, alone")
        from arena.report.bracket_text import bracket_json, bracket_text

        found = read_bracket(home, tournament)
        text = bracket_json(*found) if style == "json" else bracket_text(found.rounds)
        click.echo(text, nl=False)
    elif crosstable:
        table = read_crosstable(home, tournament, game=game, merged=merged)
        click.echo(crosstable_text(table, style), nl=False)
    else:
        board = read_leaderboard(home, tournament, game=game, merged=merged)
        click.echo(leaderboard_text(board, style, times=times), nl=False)
