"""``arena doctor``: what this machine offers, and what to do where that is not enough."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import home_option, json_option
from arena.cli.output import print_rows
from arena.cli.stopping import heed_signals

__all__ = ["command"]


@click.command("doctor")
@click.option("--sweep", is_flag=True, help="End and remove what dead runs left behind.")
@json_option
@home_option
def command(sweep: bool, as_json: bool, home: Path) -> int:
    """What this machine offers: isolation, timers, disk, languages, leftovers.

    Takes a few seconds in which small programs are started, attacked and killed. Exit code 0 if
    untrusted bots can be isolated and nothing is red, else 1.

    \b
    Example:
      arena doctor
    """
    heed_signals()
    from arena.doctor import doctor

    checkup = doctor(home, sweep=sweep)
    rows = [
        {
            "state": one.state.value,
            "topic": one.topic,
            "what": one.what,
            **({"remedy": one.remedy, "data": dict(one.data)} if as_json else {}),
        }
        for one in checkup.findings
    ]
    head = {"ok": checkup.ok, "level": checkup.level, "isolates": checkup.isolates}
    numbers = {"workers": checkup.workers, "move_ms": checkup.move_ms}
    print_rows(rows, as_json=as_json, nothing="", **head, **numbers)
    if not as_json:
        _print_remedies([(one.topic, one.remedy) for one in checkup.findings if one.remedy])
        click.echo(f"\n{checkup.summary()}")
    return 0 if checkup.ok else 1


def _print_remedies(remedies: list[tuple[str, str]]) -> None:
    """Print what to do, topic by topic; texts to be copied keep their lines."""
    from arena.untrusted import show

    if remedies:
        click.echo("\nWhat to do:")
    for topic, remedy in remedies:
        first, *more = remedy.splitlines()
        click.echo(f"  {topic}: {show(first, 500)}")
        for line in more:
            click.echo(f"    {show(line, 500)}")
