"""``arena balance``: whether games are fair to their seats, and what they are like to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli import options
from arena.terminal.output import print_found, print_undecided, run_view
from arena.terminal.result_file import write_result


@click.command("balance", cls=options.BotCommand)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@options.names(
    "--bots",
    "BOT,BOT...",
    "The bots, the weakest first.",
    show_default="random, greedy, mcts --simulations 50",
)
@options.positive("-n --rounds", "N", "Deals that are played.", default=50)
@options.flag(
    "--until-settled", help="Play more deals, up to 32 times as many, until the verdict is known."
)
@options.flag(
    "--ladder", help="Add two bots: the last one with --simulations, with 2 and 4 times as many."
)
@options.file("--html", "FILE", "Write a page with charts, for a browser.")
@options.natural("--seed", "S", "Seed of all deals.", default=1)
@options.natural(
    "--plies",
    "K",
    "Random actions that open each game.",
    show_default="2 where all deals are alike, else 0",
)
@options.positive("-j --workers", "N", "Worker processes.", default=1)
@options.sandbox_option()
@options.unsafe_option
@options.ask_option
def command(
    games: tuple[str, ...],
    bots: tuple[str, ...],
    named: options.NamedBots,
    as_json: bool,
    html: Path | None,
    home: Path,
    **chosen: Any,
) -> int:
    """Measure whether games are fair, variants side by side.

    Each bot plays against itself, every deal in all seatings, and against the bot named before it.
    The tables show the share of decided games that each seat wins, its mean score, draws, actions
    in a game, legal actions to choose from, how much the deal decides, how much the better bot
    does, and what games look like: lead changes, comebacks, margins. Matches are kept in the home's
    folder "balance"; the same command, also with more rounds, continues where it stopped.

    With --until-settled the results of a game are tested after N, 2 N, 4 N … 32 N rounds, until the
    game is known to be fair or unfair. Intervals are wider then, so that six tests together are
    wrong as seldom as one.

    \b
    Examples:
      arena balance leaves "leaves(tree=u)" --rounds 10 --bots random,greedy
      arena balance leaves --bots random --rounds 4 --until-settled
      arena balance the_tree --rounds 5 --bots random --html the_tree.html
      arena balance "the_tree(players=3)" --rounds 5 --bots random --json
    """
    with run_view() as progress:
        from arena.report.balance_text import balance_json, balance_text
        from arena.studies.balance import BOTS, measure_balance

        entries = named(bots or BOTS)
        report = measure_balance(games, home, bots=entries, progress=progress, **chosen)
    if html is not None:
        from arena.report.balance_page import balance_page

        write_result(html, balance_page(report.mirrors, report.mixed, report.looks))
    data = {name: getattr(report, name) for name in ("seed", "rounds", "looks", "plies", "kept")}
    data["rows"] = balance_json(report.mirrors, report.mixed)
    print_found(data, balance_text(report.mirrors, report.mixed), as_json=as_json)
    return print_undecided(report.undecided) if report.undecided else 0
