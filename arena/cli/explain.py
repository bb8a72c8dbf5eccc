"""``arena explain``: why a match was lost, decision by decision."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.result_file import result_file
from arena.terminal.streams import print_message
from arena.values.untrusted import show


@click.command("explain", cls=options.Command)
@click.argument("match", required=False)
@options.natural(
    "--seat player", "P", "The player whose decisions are examined.", show_default="who came last"
)
@options.flag("--lost", help="Sum up the matches that BOT lost.")
@options.text("--bot", "BOT", "With --lost: the entrant or bot.")
@options.positive("--limit", "N", "With --lost: only the last N matches.", default=10)
@options.positive(
    "--sims simulations",
    "N",
    "Simulations for each match.",
    show_default="a minute's worth; with --lost a tenth",
)
@options.natural("--seed", "S", "Seed of the search.", show_default="from the match's id")
@options.file("--html", "FILE", "Write a page to step through the match, with what was found.")
@options.exclusive("--lost", "--seat", "--html")
@options.needs("--lost", "--bot")
@options.needs("--bot --limit", "--lost")
def command(
    match: str | None,
    player: int | None,
    lost: bool,
    bot: str | None,
    limit: int,
    html: Path | None,
    as_json: bool,
    home: Path,
    **search: Any,
) -> None:
    """Show the three decisions of MATCH that cost a player most, and what was better.

    If the rest of the game is small enough, every action is followed to the end: then a value is
    exact, and the line that proves it is shown. Elsewhere values come from a search of positions
    that look the same to the player. It estimates the result of both actions, and gives a lower
    and an upper bound on how much better the other action is in perfect play. These two bounds hold
    in 95 of 100 cases. 100 % is a win, 0 % the last place; in a game for one, values are points.

    MATCH is an id, the unique beginning of one, or a record file. The same match, seed and number
    of simulations give the same answer. Without --sims the search takes up to a minute.

    With --lost, MATCH is a tournament; without MATCH, the tournament that was run last is taken.
    The costliest decision of each match that BOT lost is shown, then at which decisions BOT loses
    most.

    The page of --html is that of arena show, with a plot of values and these decisions marked.

    \b
    Examples:
      arena explain 1ac9 --sims 5000
      arena explain --bot random-sh --lost quickstart --sims 500
      arena explain match.json --seat 0 --sims 2000 --json
      arena explain 1ac9 --sims 2000 --html why.html
    """
    from arena.terminal.output import print_found, print_json, work_bar

    if lost:
        assert bot is not None
        from arena.report.explanation_text import lost_text
        from arena.studies.mistakes import explain_lost

        with work_bar("match") as progress:
            over = explain_lost(bot, home, match, limit=limit, progress=progress, **search)
        print_found(over.as_json(), lost_text(over), as_json=as_json)
        return
    if match is None:
        raise click.UsageError("expected MATCH, or --bot BOT --lost")
    from arena.report.explanation_text import explanation_text
    from arena.report.match_text import match_summary
    from arena.review.explain import explain
    from arena.review.reproduction import find_record

    record = find_record(match, home, shown=True)
    with result_file(html) as page:
        with work_bar("sim") as progress:
            found = explain(match, home, player=player, progress=progress, **search)
        if html is not None:
            from arena.site.match_page import explained_page

            page.write(explained_page(match, home, found))
    if html is not None:
        click.echo(f"wrote {html}", err=True)
    if as_json:
        print_json(found.as_json())
        return
    click.echo(match_summary(record), nl=False)
    click.echo(explanation_text(record, found), nl=False)
    if worst := found.costliest(1):
        position = shlex.quote(f"{match}#{worst[0].position}")
        click.echo(f"To try it: arena play --from {show(position)} BOT…", err=True)
    last = [str(p) for p, rank in enumerate(record.ranks) if rank == max(record.ranks)]
    if player is None and len(last) > 1:
        print_message(f"players {', '.join(last)} share the last place; --seat P chooses")
