"""``arena report``: a tournament as a static site."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import click

from arena.cli.options import anchor_option, file, flag, home_option
from arena.values.untrusted import show
from arena.values.words import count

__all__ = ["command"]


def _which(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    if value in ("auto", "all", "faults"):
        return value
    value = "0" if value == "none" else value
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise click.BadParameter(
            f'expected auto, all, none, faults or a number, found "{show(value, 60)}"'
        )
    return int(value)


@click.command("report")
@click.argument("tournament", required=False)
@file(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    help="Where to: a new folder, or an earlier report's.",
)
@click.option(
    "--pages",
    metavar="WHICH",
    default="auto",
    callback=_which,
    show_default="all if they have at most 20 MB together",
    help="Pages to step through matches: all, none, faults, or the last N.",
)
@flag("--public", help="Leave out what is not for everybody.")
@anchor_option
@home_option
def command(tournament: str | None, output: Path, home: Path, **chosen: Any) -> None:
    """Write a site of TOURNAMENT (NAME or NAME#2), or of the one run last, into DIR.

    It needs no server and no network: open DIR/index.html, or copy DIR to any web server. There are
    the leaderboard, ratings over the schedule, the cross-table, faults, times, and a page for each
    bot with its matches and charts of the numbers it reports by `info`.

    Each match has a page, as arena show --html makes it, 10 to 200 kB; if they have more than 20 MB
    together, only with --pages.

    With --public, there are no paths, details of faults, or programs and arguments of bots, nor
    which are the same program. The seed of an unfinished tournament is never there.

    \b
    Examples:
      arena report -o site
      arena report quickstart -o site --public
    """
    from arena.site.report import write_report

    gc.disable()  # nothing that a report is made of is let go before its end
    made = write_report(home, output, tournament, **chosen)
    matches = f", {count(made.matches, 'match')}" if made.matches else ""
    counts = count(made.bots, "bot") + matches
    click.echo(f"wrote {output / 'index.html'}: {made.tournament}, {counts}", err=True)
