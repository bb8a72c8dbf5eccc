"""``arena matches``: list matches."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.output import print_json
from arena.terminal.streams import terminal_columns


def _code(by: str) -> str:
    from arena.values.errors import UsageError, near_miss
    from arena.values.model import Termination

    codes = [code.value for code in Termination]
    if by not in codes:
        raise UsageError(f'expected one of {", ".join(codes)}, found "{by}"{near_miss(by, codes)}')
    return by


@click.command("matches", cls=options.Command)
@options.tournament_options
@options.text("--bot", "BOT", "Only matches of this entrant or bot.")
@options.flag("--lost", help="Only matches that BOT, or without --bot one of your bots, lost.")
@options.text(
    "--by",
    "CODE",
    "Only matches that ended by CODE: rules, time, crash …",
    callback=options.read_as(_code),
)
@options.positive("--limit", "N", "Only the last N matches, newest first.")
@options.text("--game", "GAME", "Only matches of this game.")
@options.select_options
@options.flag("--duplicates", help="Only matches that repeat an earlier one, which is named.")
def command(
    tournament: str | None,
    by: str | None,
    as_json: bool,
    home: Path,
    **chosen: Any,
) -> None:
    """List the matches of TOURNAMENT, or of the one run last, in schedule order.

    A line has the match's id, its start (in the time zone of this machine, as --since reads it),
    the bots from seat 0 on, the scores (the ranks if the rules did not end the match), how many
    decisions were made, who was at fault, who pondered (computed while others decided, although
    that was not allowed), and how the match ended. Matches that count in no table are marked: those
    of an entrant that is out, and those past an early stop. --json prints times in UTC.

    A draw is not lost. --lost without --bot means the bots that did not come with the arena; if all
    did, it means any bot.

    \b
    Examples:
      arena matches
      arena matches --lost --limit 5
      arena matches quickstart --bot greedy --by time
      arena matches --since 2h
      arena matches --since 2026-11-22 --json
    """
    from arena.report.matches_text import match_json, matches_text
    from arena.results.matches import list_matches

    label, found = list_matches(home, tournament, by=by, scores=True, **chosen)
    if as_json:
        print_json({"tournament": label, "rows": [*map(match_json, found)]})
    elif not found:
        click.echo("No match fits.", err=True)
    else:
        year = time.localtime().tm_year
        text = matches_text(found, year=year, columns=terminal_columns())
        click.echo(text, nl=False)
