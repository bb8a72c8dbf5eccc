"""A run that is only planned, as ``arena run --dry-run`` prints it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from arena.cli.output import print_json
from arena.untrusted import show

if TYPE_CHECKING:
    from arena.dry_run import DryRun, PlannedBot

__all__ = ["print_plan", "span"]

INDENT = 12
SHOWN = 500  # characters of a text
HOUR, DAY = 60, 24 * 60  # minutes


def print_plan(found: DryRun, *, as_json: bool) -> None:
    """Print what a run would do: a line a subject, or JSON."""
    if as_json:
        bots = [one._asdict() for one in found.bots]
        failed = [one._asdict() for one in found.failed]
        print_json({**found._asdict(), "bots": bots, "failed": failed})
        return
    lines = {
        "tournament": f"{show(found.tournament)}, {'begins' if found.begins else 'goes on'}",
        "games": f"{', '.join(map(show, found.games))}, {show(found.format)}",
        "bots": ", ".join([_bot(bot) for bot in found.bots]),
        "out": ", ".join(map(show, found.out)),
        "matches": _matches(found),
        "played": str(found.played),
        "part": found.part or "",
        "left": str(found.left),
        "isolation": found.sandbox,
        "workers": str(found.workers),
        "seed": "drawn, and secret until the end" if found.secret else "from the file",
        "time": _time(found),
    }
    for name, text in lines.items():
        if text:
            line = f"{name:<{INDENT}}{text}"
            click.echo(textwrap.fill(line, 80, subsequent_indent=" " * INDENT))
    for bot in found.failed:
        detail = show(bot.detail, SHOWN)
        of = f"in {bot.matches} of {found.tried}" if found.tried > 1 else "in the match"
        click.echo(
            f"arena: {show(bot.name)} failed {of} that were tried, {bot.code}: {detail}", err=True
        )
        click.echo(f"arena: to see why: {show(bot.check, SHOWN)}", err=True)
    if found.pid is not None:
        click.echo(f"arena: process {found.pid} runs this tournament now", err=True)
    click.echo("arena: nothing was stored; run it without --dry-run to play", err=True)


def _bot(bot: PlannedBot) -> str:
    """Return an entrant's name, with the program it is if that is another."""
    program = f"{bot.bot}@{bot.version}" if bot.version else bot.origin
    if bot.name == program:
        return show(program)
    return f"{show(bot.name)} ({show(program)}{', bundled' if bot.origin == 'bundled' else ''})"


def _matches(found: DryRun) -> str:
    text = f"{found.matches:,}"
    if found.blocks and found.matches:
        pairings = "1 pairing" if found.pairings == 1 else f"{found.pairings:,} pairings"
        text += f", of {pairings} in {found.blocks:,} block{'' if found.blocks == 1 else 's'}"
    if found.most is None:
        return text
    if found.most == found.matches:
        return f"at most {text}"
    return f"{text}, as far as it is planned; at most {found.most:,}"


def _time(found: DryRun) -> str:
    if not found.left:
        return "nothing is left to play"
    if found.match_s is None:
        return "not known: no match ended within the time for trying"
    matches = "1 match" if found.tried == 1 else f"{found.tried} matches"
    of = f"{found.match_s:.2f} s a match, measured on {matches}"
    return of if found.left_s is None else f"about {span(found.left_s)}: {of}"


def span(seconds: float) -> str:
    """Write a time to its two largest units.

    >>> span(8.4), span(95), span(3 * 3600 + 125), span(200_000)
    ('8 s', '2 min', '3 h 2 min', '2 d 7 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < HOUR:
        return f"{minutes} min"
    if minutes < DAY:
        return f"{minutes // HOUR} h {minutes % HOUR} min"
    return f"{minutes // DAY} d {minutes % DAY // HOUR} h"
