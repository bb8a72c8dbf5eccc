"""``arena explain``: why a match was lost, decision by decision."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path

import click

from arena.cli import options
from arena.cli.options import NATURAL, PATH, POSITIVE
from arena.terminal.result_file import result_file
from arena.terminal.stopping import heed_signals
from arena.terminal.streams import say

__all__ = ["command"]


@click.command("explain")
@click.argument("match")
@click.option(
    "--seat",
    "player",
    type=NATURAL,
    metavar="P",
    show_default="who came last",
    help="Whose decisions.",
)
@click.option(
    "--sims", type=POSITIVE, metavar="N", show_default="a minute's", help="Simulations in all."
)
@click.option(
    "--seed", type=NATURAL, metavar="S", show_default="from the match's id", help="For the search."
)
@click.option(
    "--html",
    type=PATH,
    metavar="FILE",
    help="Write a page to step through it, with what was found.",
)
@options.json_option
@options.home_option
def command(
    match: str,
    player: int | None,
    sims: int | None,
    seed: int | None,
    html: Path | None,
    as_json: bool,
    home: Path,
) -> None:
    """Show the three decisions of MATCH that cost a player most, and what was better.

    Each decision is searched in positions that the player could not tell apart. Where another
    action seems better than the played one, both are tried again in new such positions, and only a
    difference above its error is shown. 1 is a win, 0 the last place; where somebody plays alone,
    it is the points of the game.

    MATCH is an id, the unique beginning of one, or a record file. The same match, seed and number
    of simulations give the same answer. Without --sims it takes up to a minute.

    The page of --html is that of arena show, with a plot of values and these decisions marked.

    \b
    Examples:
      arena explain 1ac9 --sims 5000
      arena explain match.json --seat 0 --sims 2000 --json
      arena explain 1ac9 --sims 2000 --html why.html
    """
    heed_signals()
    from arena.report.explanation_text import explanation_text
    from arena.report.match_text import match_summary
    from arena.review.branch import node_before
    from arena.review.explain import explain
    from arena.review.reproduction import find_record
    from arena.terminal.output import print_json, work_bar

    record = find_record(match, home, shown=True)
    # one that cannot be written is better known before
    with nullcontext() if html is None else result_file(html) as page:
        with work_bar("sim") as progress:
            found = explain(
                match, home, player=player, seed=seed, simulations=sims, progress=progress
            )
        if page is not None:
            from arena.site.match_page import explained_page

            page.write(explained_page(match, home, found))
    if html is not None:
        click.echo(f"wrote {html}", err=True)
    if as_json:
        print_json(found.as_json())
        return
    click.echo(match_summary(record), nl=False)
    click.echo(explanation_text(record, found), nl=False)
    worst = found.costliest(1)
    begun = node_before(record, worst[0].position) if worst else None
    if begun is not None:
        seats = ["mcts"] * len(record.players)
        seats[found.player] = "human"
        again = f"arena play --from {shlex.quote(match)}#{begun} {' '.join(seats)}"
        click.echo(f"To try it yourself: {again}", err=True)
    last = [str(p) for p, rank in enumerate(record.ranks) if rank == max(record.ranks)]
    if player is None and len(last) > 1:
        say(f"players {', '.join(last)} share the last place; --seat P chooses")
