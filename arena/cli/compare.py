"""``arena compare``: is one bot stronger than another?"""

from __future__ import annotations

import json
import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output import LineHandler, Progress, Whole, home_option, json_option
from arena.cli.stopping import heed_signals, say_stopped

if TYPE_CHECKING:
    from arena.comparison import Compared
    from arena.runner import Progress as Told

__all__ = ["command"]

TEST = ("elo0", "elo1", "alpha", "beta")


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("other", metavar="B")
@click.argument("game")
@click.option("--rounds", type=Whole(1), metavar="N", help="Play N blocks, instead of a test.")
@click.option("--elo0", type=float, default=0.0, metavar="ELO", help="Not stronger.  [0]")
@click.option("--elo1", type=float, default=20.0, metavar="ELO", help="Stronger.  [20]")
@click.option("--alpha", type=float, default=0.05, metavar="P", help="Of a false yes.  [0.05]")
@click.option("--beta", type=float, default=0.05, metavar="P", help="Of a false no.  [0.05]")
@click.option("--workers", type=Whole(1), metavar="N", help="Worker processes.  [cores - 1]")
@click.option("--clock", metavar="TEXT", help='Such as "move=1s,first=5s,margin=50ms".')
@click.option("--seed", type=Whole(0), metavar="S", help="For the deals and the bots.  [secret]")
@click.option("--sandbox", metavar="LEVEL", default="auto", help="How bots are isolated.  [auto]")
@click.option("--allow-unsafe", is_flag=True, help="Run untrusted bots even if not isolated.")
@click.option(
    "--durability",
    type=click.Choice(["normal", "full"]),
    default="normal",
    help="full: also a power cut loses no match.  [normal]",
)
@click.option("-v", "--verbose", is_flag=True, help="Print a line a match to stderr.")
@json_option
@home_option
@click.pass_context
def command(
    context: click.Context,
    first: str,
    other: str,
    game: str,
    rounds: int | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    workers: int | None,
    clock: str | None,
    seed: int | None,
    sandbox: str,
    allow_unsafe: bool,
    durability: str,
    verbose: bool,
    as_json: bool,
    home: Path,
) -> int:
    """Find out whether A is stronger than B in GAME; exit code 0: it is, 1: not shown to be.

    A and B are names, NAME@VERSION, or paths, in quotes with arguments. Both meet on the same deals
    in all seats, until a sequential test (SPRT) tells whether A is stronger by --elo0 or by --elo1;
    in a game for more than two, B has all other seats. With --rounds it is N blocks, and A is
    stronger if that is at least 95 % likely.

    It is a tournament like any other, which leaderboard, matches and show know. The same command
    again goes on where it stopped; another version of a bot is another comparison.

    \b
    Examples:
      arena compare greedy random leaves
      arena compare my_bot.py greedy leaves --elo1 50
      arena compare "my_bot.py --sims 200" random leaves --rounds 10 --json
    """
    if rounds is not None:
        for name in TEST:
            if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                raise click.UsageError(f"--{name} is for a test, and --rounds plays without one")
    heed_signals()
    from arena.comparison import compare
    from arena.logs import log_to
    from arena.tournament.clocks import parse_clock

    show = _Show(verbose)
    handler = LineHandler()
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    try:
        with log_to([handler], logging.INFO if verbose else logging.WARNING):
            compared = compare(
                first,
                other,
                game,
                home,
                rounds=rounds,
                elo0=elo0,
                elo1=elo1,
                alpha=alpha,
                beta=beta,
                workers=workers,
                clock=None if clock is None else parse_clock(clock),
                seed=seed,
                sandbox=sandbox,
                durability=durability,
                allow_unsafe=allow_unsafe,
                tell=show.tell,
            )
    except KeyboardInterrupt as stopped:
        return say_stopped(stopped, show.close)
    finally:
        show.close()
    click.echo(json.dumps(_as_json(compared), indent=1) if as_json else compared.sentence)
    if compared.undecided:
        count = len(compared.undecided)
        click.echo(
            f"arena: {count} {'match is' if count == 1 else 'matches are'} undecided, for no fault "
            f"of a bot: {', '.join(compared.undecided[:10])}; run the same command again to try "
            "again",
            err=True,
        )
        return 3
    if compared.answer.reason == "repeats":
        click.echo(
            "arena: both bots play alike every time; compare them with arguments that vary their "
            "play, or by a tournament file with a longer opening",
            err=True,
        )
    return 0 if compared.verdict == "stronger" else 1


def _as_json(compared: Compared) -> dict[str, object]:
    answer = compared.answer._asdict()
    return {
        "tournament": compared.tournament,
        "game": compared.game,
        "a": compared.first,
        "b": compared.other,
        **answer,
        "undecided": list(compared.undecided),
        "out": list(compared.out),
        "sentence": compared.sentence,
    }


class _Show:
    """Shows a comparison while it goes on: a line with the answer so far, or a line a match."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._bar: Progress | None = None
        self._begun = time.monotonic()
        self._played = 0

    def tell(self, progress: Told) -> None:
        """Take in how far the comparison is."""
        from arena.report import comparison_state, time_left

        answer = progress.answer
        if self._bar is None:
            endless = answer is not None and answer.llr is not None
            self._bar = Progress(None if endless else progress.total, progress.settled)
        if not progress.match:
            return
        self._played += 1
        if answer is not None:
            seconds = time.monotonic() - self._begun
            left = time_left(answer, progress.settled, progress.total, seconds, self._played)
            ends = "" if left is None else f" · {left // 60:.0f}:{left % 60:02.0f} left"
            self._bar.show(comparison_state(answer) + ends)
        if self._verbose:
            places = " ".join(map(str, progress.ranks)) or "-"
            self._bar.line(
                f"{progress.settled} {progress.match} {' - '.join(progress.seats)}: {places} "
                f"by {progress.by}"
            )

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            bar, self._bar = self._bar, None
            bar.close()
