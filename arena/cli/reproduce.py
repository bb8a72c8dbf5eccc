"""``arena reproduce``: play a match again and compare it, action by action."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.output import home_option, json_option
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("reproduce")
@click.argument("match")
@click.option("--sandbox", metavar="LEVEL", help="How bots are isolated.  [the best there is]")
@json_option
@home_option
def command(match: str, sandbox: str | None, as_json: bool, home: Path) -> int:
    """Play MATCH again with the same bots, seeds and clocks; exit code 1 if it differs.

    \b
    Examples:
      arena reproduce 3038
      arena reproduce match.json
    """
    heed_signals()
    import json

    from arena.reproduction import reproduce
    from arena.tournament.supported import check_sandbox
    from arena.untrusted import show

    again = reproduce(match, home, "auto" if sandbox is None else check_sandbox(sandbox))
    count = len(again.old.actions)
    difference = again.difference
    same = difference is None
    if as_json:
        click.echo(
            json.dumps(
                {
                    "id": again.old.id,
                    "identical": same,
                    "decisions": count,
                    "difference": difference,
                }
            )
        )
    else:
        click.echo(show(difference or f"identical ({count} decisions)", 1000))
    return 0 if same else 1
