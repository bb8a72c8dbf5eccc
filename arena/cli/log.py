"""``arena log``: what the bots of a match said, and the lines that went through their pipes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import options
from arena.terminal.streams import print_message

if TYPE_CHECKING:
    from arena.review.log import MatchLog


@click.command("log", cls=options.Command)
@click.argument("match")
@options.natural("--seat", "P", "Only this seat, from 0.")
@options.flag("--wire", help="Print the lines in both directions, and all times.")
@options.flag("--sent", help="Print the lines sent to seat P, and nothing else.")
@options.exclusive("--sent", "--wire")
def command(
    match: str, seat: int | None, wire: bool, sent: bool, as_json: bool, home: Path
) -> None:
    """Show what the bots of MATCH wrote to stderr, by log and by info, decision by decision.

    For each bot and match the first and the last 64 KiB are kept. What a bot writes after its
    answer is shown with that decision, unless the next question was sent before.

    With --wire a line that was sent to the bot begins with >, and a line that the bot wrote with <.
    What was sent is made again from the record by the rules. An answer that counts is shown as play
    ACTION D, however the bot wrote it. A process that is kept for many matches is shown with hello
    and quit in each. --sent prints the sent lines alone, so that a bot can read them again.

    MATCH is an id, the unique beginning of one, or a record file. A record file, and a match that
    came in a bundle, have only info and the last lines of a bot at fault.

    \b
    Examples:
      arena log 1ac9
      arena log 1ac9 --wire --seat 1
      arena log 1ac9 --sent --seat 1 | python my_bot.py
    """
    from arena.review.log import match_log

    log = match_log(match, home, seat=seat, wire=wire, sent=sent)
    if sent and not as_json:
        for passage in log.passages:
            for line in passage.lines:
                click.echo(line.data.decode("ascii"))
    else:
        print_log(log, as_json=as_json, wire=wire)


def print_log(log: MatchLog, *, as_json: bool = False, wire: bool = False) -> None:
    """Print what was said in a match."""
    from arena.report.log_text import log_rows, log_text
    from arena.terminal.output import print_json

    if as_json:
        pondered = [player.bot for player in log.record.players if player.pondered]
        rows = list(log_rows(log.record, log.passages))
        print_json({"match": log.record.id, "pondered": pondered, "rows": rows})
        return
    for line in log_text(log.record, log.passages, times=wire):
        click.echo(line)
    if not log.stored:
        about = (
            "a record file and a bundle have of what bots wrote only info, and the last words of "
            "those at fault; arena play --log shows all that they write"
        )
        print_message(about)
    elif not log.passages:
        click.echo("No bot wrote anything.", err=True)
