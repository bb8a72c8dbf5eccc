"""``arena rate``: ratings of results from elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli import options
from arena.terminal.streams import terminal_columns


@click.command("rate", cls=options.Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=options.PATH)
@options.flag("--crosstable", help="Print how each did against each other one.")
@options.anchor_option
@options.exclusive("--crosstable", "--anchor")
@options.format_option
def command(
    files: tuple[Path, ...], crosstable: bool, anchor: dict[str, float] | None, style: str
) -> None:
    """Rate the results in FILEs, which were played anywhere; no home is read or written.

    \b
    .csv    white,black,result: 1-0 0-1 1/2-1/2, or 1 0 0.5 for white; or
            players,ranks: names and ranks, 1 the best, joined by ";"
    .pgn    the tags White, Black and Result
    .jsonl  records, as arena export writes them
    -       CSV from standard input

    CSV has a header line, and all files are UTF-8. Results * are left out and counted. If a line
    has no result, a message names it, and nothing is rated.

    The table has the columns of arena leaderboard. Each result counts by itself, so repeated deals
    and matches make the intervals too narrow.

    \b
    Examples:
      arena rate league.csv
      arena rate games.pgn more.pgn --anchor stockfish=3500 --format json
      arena rate league.csv --crosstable
    """
    from arena.results.rate_files import rate_files

    found = rate_files(files, anchor=anchor)
    if crosstable:
        from arena.report.crosstable_text import crosstable_text

        text = crosstable_text(found.crosstable, style)
    else:
        from arena.report.leaderboard_text import leaderboard_text

        text = leaderboard_text(found.leaderboard, style, width=terminal_columns())
    click.echo(text, nl=False)
