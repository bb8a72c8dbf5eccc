"""``arena report``: a tournament as a static site."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.values.untrusted import show
from arena.values.words import count


def _which(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    if value in ("auto", "all", "faults"):
        return value
    value = "0" if value == "none" else value
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise click.BadParameter(
            f'expected auto, all, none, faults or a number, found "{show(value, 60)}"'
        )
    return int(value)


@click.command("report", cls=options.Command)
@click.argument("tournament", required=False)
@options.file("-o --output", "DIR", "Write into DIR, a new folder or that of an earlier report.")
@options.file("--authors", "DIR", "Instead write a page for the author of each bot into DIR.")
@options.text(
    "--pages",
    "WHICH",
    "Matches that get a page to step through: all, none, faults, or the last N.",
    default="auto",
    callback=_which,
    show_default="all if they have at most 20 MB together",
)
@options.flag("--public", help="Leave out what is not for the public.")
@options.natural(
    "--sims simulations",
    "N",
    "With --authors: simulations for each match; 0 explains none.",
    show_default="some two seconds' worth",
)
@options.exclusive("--authors", "-o", "--pages", "--public")
@options.needs("--sims", "--authors")
@options.anchor_option
def command(
    tournament: str | None,
    output: Path | None,
    authors: Path | None,
    simulations: int | None,
    home: Path,
    anchor: dict[str, float] | None,
    **chosen: Any,
) -> None:
    """Write a site of TOURNAMENT (NAME or NAME#2), or of the one run last, into DIR.

    The site needs no server and no network: open DIR/index.html, or copy DIR to any web server. It
    has the leaderboard, ratings over the schedule, the cross-table, faults, times, and a page for
    each bot with its matches and charts of the numbers that it reports by `info`.

    Each match has a page, as arena show --html makes it, of 10 to 200 kB. If the pages have more
    than 20 MB together, they are written only with --pages.

    --public leaves out paths, details of faults, programs and arguments of bots, and which bots are
    the same program. The seed of an unfinished tournament is never shown.

    --authors writes a page for the author of each bot that did not come with the arena, even if the
    bot is out: its check, row of the table, faults with what it wrote, the decisions of lost
    matches that cost most, and how to play them again; and nothing of other programs. Pages are in
    DIR/pages under names that nobody can guess, and keep their names if DIR is written again.
    DIR/index.csv lists whose page each is, for you alone.

    \b
    Examples:
      arena report -o site
      arena report quickstart -o site --public
      arena report quickstart --authors feedback --sims 0
    """
    if authors is not None:
        _write_authors(authors, tournament, home, anchor=anchor, simulations=simulations)
        return
    if output is None:
        raise click.UsageError("expected -o DIR or --authors DIR")
    from arena.site.report import write_report

    gc.disable()  # nothing that a report is made of is let go before its end
    made = write_report(home, output, tournament, anchor=anchor, **chosen)
    matches = f", {count(made.matches, 'match')}" if made.matches else ""
    counts = count(made.bots, "bot") + matches
    click.echo(f"wrote {output / 'index.html'}: {made.tournament}, {counts}", err=True)


def _write_authors(folder: Path, tournament: str | None, home: Path, **options: Any) -> None:
    from arena.site.authors import LIST, write_authors
    from arena.terminal.output import work_bar

    with work_bar("page") as progress:
        made = write_authors(home, folder, tournament, progress=progress, **options)
    click.echo(f"wrote {folder / LIST}: {made.tournament}, {count(made.pages, 'page')}", err=True)
