"""``arena check``: walk a bot through the protocol and name the step that failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.output import print_found
from arena.terminal.streams import terminal_columns


@click.command("check", cls=options.BotCommand)
@click.argument("bot")
@click.argument("game", required=False)
@options.clock_option
@options.heavy_options
@options.sandbox_option()
@options.ask_option
def command(bot: str, named: options.NamedBots, as_json: bool, home: Path, **chosen: Any) -> int:
    """Walk BOT through the protocol, in GAME or in every game it plays.

    A step that fails is shown with the lines that were sent, and how to fix it. A note is no
    failure. BOT is a name, NAME@VERSION, or a path, in quotes with arguments. The exit code is 1 if
    a step failed.

    \b
    Examples:
      arena check ./my_bot.py
      arena check my_bot.py leaves --json
    """
    from arena.check import as_data, check_bot, step_text, summary

    width = terminal_columns()
    watch = None if as_json else lambda step: click.echo(step_text(step, width), nl=False)
    (entry,) = named([bot])
    report = check_bot(entry, home, watch=watch, **chosen)
    print_found(as_data(report), summary(report), as_json=as_json)
    return 0 if report.passed else 1
