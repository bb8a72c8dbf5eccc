"""``arena check``: walk a bot through the protocol and name the step that failed."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.output import home_option, json_option
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("check")
@click.argument("bot")
@click.argument("game", required=False)
@click.option("--clock", metavar="TEXT", help='Such as "move=1s,first=5s,margin=50ms".')
@click.option("--sandbox", metavar="LEVEL", default="auto", help="How bots are isolated.  [auto]")
@json_option
@home_option
def command(
    bot: str, game: str | None, clock: str | None, sandbox: str, as_json: bool, home: Path
) -> int:
    """Walk BOT through the protocol, in GAME or in every game it plays.

    A step that fails is shown with what was said, and how to fix it. A note costs nothing. A BOT
    is a name, NAME@VERSION, or a path, in quotes with arguments. Exit code 1 if a step failed.

    \b
    Examples:
      arena check bots/random_python
      arena check my_bot.py leaves --json
    """
    heed_signals()
    import json

    from arena.bots.find import parse_bot
    from arena.check import as_data, check_bot, step_text, summary
    from arena.tournament.clocks import parse_clock
    from arena.tournament.supported import check_sandbox

    report = check_bot(
        parse_bot(bot, Path.cwd()),
        home,
        game=game,
        clock=None if clock is None else parse_clock(clock),
        sandbox=check_sandbox(sandbox),
        watch=None if as_json else lambda step: click.echo(step_text(step), nl=False),
    )
    click.echo(json.dumps(as_data(report), indent=1) if as_json else summary(report), nl=as_json)
    return 0 if report.passed else 1
