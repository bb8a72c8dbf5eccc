"""``arena balance``: whether games are fair to their seats, and what they are like to play."""

from __future__ import annotations

import contextlib
import json
import logging
import shlex
import sys
from pathlib import Path

import click

from arena.cli.output import LineHandler, Progress, Whole, home_option, json_option
from arena.cli.stopping import exit_code, heed_signals, ignore_signals
from arena.cli.streams import forget_hung_up

__all__ = ["command"]


@click.command("balance")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--bots",
    multiple=True,
    metavar="BOT,BOT...",
    help="Who plays, the weakest first.  [random, greedy, mcts --simulations 50]",
)
@click.option("--rounds", type=Whole(1), default=50, show_default=True, metavar="N", help="Deals.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="Of all deals.")
@click.option(
    "--plies",
    type=Whole(0),
    metavar="K",
    help="Random actions that open each game.  [2 where all deals are alike, else 0]",
)
@click.option(
    "--workers", type=Whole(1), default=1, show_default=True, metavar="N", help="Worker processes."
)
@click.option("--sandbox", default="auto", metavar="LEVEL", help="How bots are isolated.  [auto]")
@click.option("--allow-unsafe", is_flag=True, help="Run untrusted bots even if not isolated.")
@json_option
@home_option
def command(
    games: tuple[str, ...],
    bots: tuple[str, ...],
    rounds: int,
    seed: int,
    plies: int | None,
    workers: int,
    sandbox: str,
    allow_unsafe: bool,
    as_json: bool,
    home: Path,
) -> int:
    """Measure whether games are fair, variants side by side.

    Each bot plays against itself, every deal in all seatings, and against the bot named before it.
    Shown are the share of decided games that each seat wins, draws, actions a game, legal actions
    to choose from, how much the deal decides, and how much the better bot does. Matches are kept in
    the home's folder "balance"; the same command goes on where it stopped, also with more rounds.

    \b
    Examples:
      arena balance leaves "leaves(tree=u)" --rounds 10 --bots random,greedy
      arena balance "the_tree(players=3)" --rounds 5 --bots random --json
    """
    heed_signals()
    from arena.balance import BOTS, measure_balance
    from arena.logs import log_to
    from arena.report.balance_text import balance_json, balance_text
    from arena.tournament.supported import check_sandbox

    named = [bot.strip() for text in bots for bot in text.split(",")]
    show = _Show()
    handler = LineHandler()
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    try:
        with log_to([handler], logging.WARNING):
            report = measure_balance(
                games,
                home,
                bots=named or BOTS,
                rounds=rounds,
                seed=seed,
                plies=plies,
                workers=workers,
                sandbox=check_sandbox(sandbox),
                allow_unsafe=allow_unsafe,
                tell=show.tell,
            )
    except KeyboardInterrupt as stopped:
        ignore_signals()
        with contextlib.suppress(OSError):  # the terminal may go away at any time
            show.close()
            again = shlex.join(["arena", *sys.argv[1:]])
            click.echo(f"\narena: stopped; what was played is kept. Go on with: {again}", err=True)
        forget_hung_up()
        return exit_code(stopped)
    finally:
        show.close()
    if as_json:
        head = {"seed": report.seed, "rounds": report.rounds, "plies": report.plies}
        rows = balance_json(report.mirrors, report.mixed)
        click.echo(json.dumps({**head, "kept": report.kept, "rows": rows}, indent=1))
    else:
        click.echo(balance_text(report.mirrors, report.mixed), nl=False)
    if report.undecided:
        click.echo(
            f"arena: {report.undecided} matches are undecided, for no fault of a bot; run the same "
            "command again to try them again",
            err=True,
        )
        return 3
    return 0


class _Show:
    """A bar of all matches, with the game and bots that play now."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._done = 0

    def tell(self, done: int, total: int, what: str) -> None:
        """Take in how far it is."""
        if self._bar is None:
            self._bar, self._done = Progress(total, 0), 0
        while self._done < done:
            self._done += 1
            self._bar.show(what)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            bar, self._bar = self._bar, None
            bar.close()
