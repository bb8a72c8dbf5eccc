"""``arena leaderboard``: ratings, results and faults of tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.streams import terminal_columns

_NOT_OF_BRACKETS = (
    "--crosstable", "--columns", "--times", "--rating", "--anchor",
    "--game", "--all", "--since", "--bots", "--matches", "--without-faults",
)  # fmt: skip


@click.command("leaderboard", cls=options.Command)
@options.tournament_options
@options.text("--game", "GAME", "Only the matches of this game.")
@options.select_options
@options.file(
    "--matches ids",
    "FILE",
    "Only the matches whose ids are in FILE, one in each line; - is standard input.",
)
@options.flag("--without-faults", help="Only the matches that no bot lost by a fault.")
@options.flag(
    "--crosstable", help="Print how each bot did against each other one, and from each seat."
)
@options.flag("--bracket", help="Print the bracket of a knockout, as a tree or JSON.")
@click.option(
    "--rating",
    type=click.Choice(["order-free", "trueskill"]),
    default="order-free",
    help="The rating to sort by.",
)
@options.flag("--times", help="Also show the mean time of a decision.")
@options.names("--columns", "A,B,…", "Show only these columns, in this order.")
@options.anchor_option
@options.exclusive("--crosstable", "--columns", "--times", "--anchor")
@options.exclusive("--bracket", *_NOT_OF_BRACKETS, why="a bracket is that of one whole tournament")
@options.exclusive("--columns", "--times", why="its column is mean_ms")
@options.format_option
def command(
    tournament: str | None,
    ids: Path | None,
    crosstable: bool,
    bracket: bool,
    rating: str,
    times: bool,
    columns: tuple[str, ...],
    style: str,
    home: Path,
    **selection: Any,
) -> None:
    """Print the leaderboard of TOURNAMENT (NAME, NAME#2 or A,B), or of the one run last.

    The table is sorted by the order-free rating, on Elo's scale. 1500 is the mean of the largest
    group of bots that won and lost against one another, directly or by others; --anchor, or anchor
    in the tournament's file, fixes the Elo of one bot instead. The column 95 % is an interval, and
    los is the likelihood that a bot is stronger than the next one.

    --columns: rank, bot, version, bundle, replaced_by, points, reached, elo (or score, as JSON has
    it), interval, low, high, los, mu, sigma, games, wins, draws, losses, mean_rank, faults, rating,
    mean_ms, used_ms, late, tries, seats, prompt_tokens, completion_tokens, calls, cost.

    \b
    Examples:
      arena leaderboard
      arena leaderboard quickstart --format json
      arena leaderboard --columns bot,elo,interval,seats
      arena leaderboard quickstart --bots greedy,random --rating trueskill
      arena leaderboard --anchor greedy=1500
      arena leaderboard --without-faults
      arena leaderboard --crosstable
    """
    from arena.report.leaderboard_text import leaderboard_text
    from arena.results.standings import read_crosstable, read_leaderboard

    selection["matches"] = None if ids is None else options.read_ids(ids)
    if bracket:
        if style not in ("table", "json"):
            raise click.UsageError(f"--bracket and --format {style}: expected table or json")
        from arena.report.bracket_text import bracket_json, bracket_text
        from arena.results.bracket import read_bracket

        found = read_bracket(home, tournament)
        text = bracket_json(*found) if style == "json" else bracket_text(found.rounds)
    elif crosstable:
        from arena.report.crosstable_text import crosstable_text

        del selection["anchor"]
        table = read_crosstable(home, tournament, rating=rating, **selection)
        text = crosstable_text(table, style)
    else:
        if selection["anchor"] and rating == "trueskill":
            raise click.UsageError("--anchor and --rating trueskill: an anchor fixes an Elo")
        seats, late = "seats" in columns, not {"late", "tries"}.isdisjoint(columns)
        board = read_leaderboard(
            home, tournament, rating=rating, seats=seats, late=late, **selection
        )
        width = terminal_columns()
        text = leaderboard_text(board, style, times=times, columns=columns, width=width)
    click.echo(text, nl=False)
