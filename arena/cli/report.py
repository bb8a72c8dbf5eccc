"""``arena report``: a tournament as a static site."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import home_option

__all__ = ["command"]


@click.command("report")
@click.argument("tournament", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Where to: a new folder, or an earlier report's.",
)
@click.option("--public", is_flag=True, help="Leave out what is not for everybody.")
@home_option
def command(tournament: str | None, output: Path, public: bool, home: Path) -> None:
    """Write a site of TOURNAMENT (NAME or NAME#2), or of the one run last, into DIR.

    It needs no server and no network: open DIR/index.html, or copy DIR to any web server. There are
    the leaderboard, ratings over the schedule, the cross-table, faults, times, and a page for each
    bot with its matches and charts of the numbers it reports by `info`.

    With --public, there are no paths, details of faults, or programs and arguments of bots. The
    seed of an unfinished tournament is never there.

    \b
    Examples:
      arena report -o site
      arena report quickstart -o site --public
    """
    from arena.site.report import write_report

    made = write_report(home, output, tournament, public=public)
    click.echo(f"wrote {output / 'index.html'}: {made.tournament}, {made.bots} bots", err=True)
