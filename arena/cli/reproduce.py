"""``arena reproduce``: play a match again and compare it, action by action."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.terminal.output import print_found
from arena.values.untrusted import show

if TYPE_CHECKING:
    from arena.review.reproduction import Reproduction


@click.command("reproduce", cls=options.BotCommand)
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
    if against is None or seat is None:
        from arena.review.reproduction import reproduce
        from arena.sandbox import AUTO

        again = reproduce(match, home, how["sandbox"] or AUTO, trust=trust)
        found = {"id": again.old.id, "identical": again.difference is None, **again_data(again)}
        print_found(found, "\n".join(again_lines(again)), as_json=as_json)
        return 0 if again.difference is None else 1
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
    same, not_asked = not sitting.deviations, sitting.not_asked
    found = {"id": sitting.record.id, "player": seat, "identical": same}
    counts = {"decisions": sitting.asked, "not_asked": not_asked}
    deviations = [dataclasses.asdict(one) for one in sitting.deviations]
    lines = [f"the program ended; {not_asked} decisions were not asked"] if not_asked else []
    lines += [f"identical ({sitting.asked} decisions)"] if same else []
    print_found({**found, **counts, "deviations": deviations}, "\n".join(lines), as_json=as_json)
    return 0 if same else 1


def again_data(again: Reproduction) -> dict[str, Any]:
    """Return what JSON has of a match that was played again."""
    names = ("difference", "built_differently", "other_packages")
    return {"decisions": len(again.old.actions), **{name: getattr(again, name) for name in names}}


def again_lines(again: Reproduction) -> Iterator[str]:
    """Yield what is printed of a match that was played again."""
    from arena.bots.built import DIFFERENTLY
    from arena.bots.environments import OTHER_PACKAGES

    yield show(again.difference or f"identical ({len(again.old.actions)} decisions)", 1000)
    for name in again.built_differently if again.difference else ():
        yield f"{show(name)} {DIFFERENTLY}"
    for name in again.other_packages:
        yield f"{show(name)} {OTHER_PACKAGES}"
