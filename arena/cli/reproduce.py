"""``arena reproduce``: play a match again and compare it, action by action."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import home_option, json_option, sandbox_option
from arena.cli.output import print_json
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("reproduce")
@click.argument("match")
@sandbox_option(said="the best there is")
@json_option
@home_option
def command(match: str, sandbox: str, as_json: bool, home: Path) -> int:
    """Play MATCH again with the same bots, seeds and clocks; exit code 1 if it differs.

    \b
    Examples:
      arena reproduce 3038
      arena reproduce match.json
    """
    heed_signals()
    from arena.reproduction import reproduce
    from arena.untrusted import show

    again = reproduce(match, home, sandbox)
    count, difference = len(again.old.actions), again.difference
    same = difference is None
    if as_json:
        found = {"id": again.old.id, "identical": same, "decisions": count}
        print_json({**found, "difference": difference}, lines=False)
    else:
        click.echo(show(difference or f"identical ({count} decisions)", 1000))
    return 0 if same else 1
