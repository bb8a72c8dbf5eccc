"""``arena leaderboard``: ratings, results and faults of tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from arena.cli.output import format_option, home_option, read_ids, select_options

__all__ = ["command"]


@click.command("leaderboard")
@click.argument("tournament", required=False)
@click.option("--tournament", "named", metavar="A,B,…", help="Several tournaments together.")
@click.option("--game", metavar="GAME", help="Only the matches of this game.")
@click.option("--all", "merged", is_flag=True, help="All tournaments of this home together.")
@select_options
@click.option(
    "--matches",
    "ids",
    metavar="FILE",
    type=click.File(),
    help="Only the matches whose ids are in FILE, one a line; -: standard input.",
)
@click.option("--crosstable", is_flag=True, help="Who did how against whom, and from which seat.")
@click.option("--bracket", is_flag=True, help="The bracket of a knockout, as a tree or JSON.")
@click.option(
    "--rating",
    type=click.Choice(["order-free", "trueskill"]),
    default="order-free",
    show_default=True,
    help="What to sort by.",
)
@click.option("--times", is_flag=True, help="Also the mean time a decision.")
@click.option("--columns", metavar="A,B,…", help="Only these columns, in this order.")
@format_option
@home_option
def command(
    tournament: str | None,
    named: str | None,
    game: str | None,
    merged: bool,
    since: str | None,
    bots: tuple[str, ...],
    ids: TextIO | None,
    crosstable: bool,
    bracket: bool,
    rating: str,
    times: bool,
    columns: str | None,
    style: str,
    home: Path,
) -> None:
    """The leaderboard of TOURNAMENT (NAME, NAME#2 or A,B), or of the one run last.

    By default it sorts by the order-free rating, on Elo's scale: the mean of the table is 1500, ±
    is a 95 % interval, and los the likelihood that a bot is stronger than the next one.

    --columns: rank, bot, version, score, plus_minus, los, mu, sigma, games, wins, draws, losses,
    mean_rank, faults, mean_ms, used_ms, late, seats.

    \b
    Examples:
      arena leaderboard
      arena leaderboard quickstart --format json
      arena leaderboard --columns bot,score,plus_minus,seats
      arena leaderboard quickstart --bots greedy,random --rating trueskill
      arena leaderboard --crosstable
    """
    from arena.errors import UsageError
    from arena.report import crosstable_text, leaderboard_text
    from arena.standings import read_bracket, read_crosstable, read_leaderboard

    if tournament is not None and named is not None:
        raise UsageError("name the tournaments either as the argument or with --tournament")
    matches = None if ids is None else read_ids(ids)
    shown = None if columns is None else [name.strip() for name in columns.split(",")]
    if bracket:
        some = merged or game is not None or since is not None or bots or matches is not None
        if crosstable or some or style not in ("table", "json"):
            raise click.UsageError("--bracket goes with one tournament, as a tree or --json, alone")
        from arena.report.bracket_text import bracket_json, bracket_text

        found = read_bracket(home, tournament or named)
        text = bracket_json(*found) if style == "json" else bracket_text(found.rounds)
        click.echo(text, nl=False)
        return
    if crosstable:
        table = read_crosstable(
            *(home, tournament or named),
            game=game,
            merged=merged,
            rating=rating,
            since=since,
            bots=bots,
            matches=matches,
        )
        click.echo(crosstable_text(table, style), nl=False)
        return
    board = read_leaderboard(
        *(home, tournament or named),
        game=game,
        merged=merged,
        rating=rating,
        since=since,
        bots=bots,
        matches=matches,
        seats=shown is not None and "seats" in shown,
        late=shown is not None and "late" in shown,
    )
    click.echo(leaderboard_text(board, style, times=times, columns=shown), nl=False)
