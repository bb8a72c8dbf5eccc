"""``arena reproduce``: play a match again and compare it, action by action."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.output import print_json


@click.command("reproduce", cls=options.Command)
@click.argument("match")
@options.natural("--seat", "P", "The seat that --against takes.")
@options.text("--against", "BOT", "Put this program into the seat.")
@options.positive("--until", "N", "Stop after the seat's decision N.")
@options.flag("--no-clock", help="Let no limit of time or memory count.")
@options.flag("--record-env", help="Set the variables of the record even without isolation.")
@options.flag("--trust", help="Run bots that ask (ask) with your own rights again.")
@options.sandbox_option(None, said="the best there is; none for a BOT given by its path")
@options.exclusive("--trust", "--against", why="no other bot is started")
@options.needs("--seat --until --no-clock --record-env", "--against")
@options.needs("--against", "--seat", why="whose place? arena show MATCH says who sits where")
def command(
    match: str,
    seat: int | None,
    against: str | None,
    trust: bool,
    as_json: bool,
    home: Path,
    **how: Any,
) -> int:
    """Play MATCH again with the same bots, seeds and clocks; exit code 1 if it differs.

    With --against another program takes a seat, perhaps under a debugger. It gets the lines that
    were sent then, and the other bots are not started. Each answer that deviates from the recorded
    one is reported, but the recorded one counts, and the rest is sent as recorded. What the program
    writes to stderr or by log is shown as it comes. A BOT given by its path is not isolated, so it
    can open the terminal. If nothing isolates the program, the environment variables of the record
    are left out, unless --record-env is given.

    \b
    Examples:
      arena reproduce 1ac9
      arena reproduce match.json
      arena reproduce 1ac9 --seat 1 --against random-sh
      arena reproduce 1ac9 --seat 1 --against random-sh --until 3
    """
    from arena.sandbox.cgroups.own_group import use_own_group

    use_own_group()
    if against is None or seat is None:
        return _play_again(match, home, how["sandbox"], trust=trust, as_json=as_json)
    from arena.review.against import reproduce_against

    sitting = reproduce_against(
        match,
        seat,
        against,
        home,
        **how,
        report=lambda deviation: None if as_json else click.echo(str(deviation)),
        remark=lambda line: click.echo(line, err=True),
    )
    same = not sitting.deviations
    if as_json:
        found = {"id": sitting.record.id, "player": seat, "identical": same}
        counts = {"decisions": sitting.asked, "not_asked": sitting.not_asked}
        deviations = [dataclasses.asdict(one) for one in sitting.deviations]
        print_json({**found, **counts, "deviations": deviations})
        return 0 if same else 1
    if sitting.not_asked:
        click.echo(f"the program ended; {sitting.not_asked} decisions were not asked")
    if same:
        click.echo(f"identical ({sitting.asked} decisions)")
    return 0 if same else 1


def _play_again(match: str, home: Path, sandbox: str | None, *, trust: bool, as_json: bool) -> int:
    from arena.bots.built import DIFFERENTLY
    from arena.bots.environments import OTHER_PACKAGES
    from arena.review.reproduction import reproduce
    from arena.sandbox import AUTO
    from arena.values.untrusted import show

    again = reproduce(match, home, sandbox or AUTO, trust=trust)
    count, difference = len(again.old.actions), again.difference
    same = difference is None
    if as_json:
        found = {"id": again.old.id, "identical": same, "decisions": count}
        others = list(again.built_differently)
        found |= {"difference": difference, "built_differently": others}
        print_json({**found, "other_packages": list(again.other_packages)})
    else:
        click.echo(show(difference or f"identical ({count} decisions)", 1000))
        for name in () if same else again.built_differently:
            click.echo(f"{show(name)} {DIFFERENTLY}")
        for name in again.other_packages:
            click.echo(f"{show(name)} {OTHER_PACKAGES}")
    return 0 if same else 1
