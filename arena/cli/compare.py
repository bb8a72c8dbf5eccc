"""``arena compare``: is one bot stronger than another?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.terminal.output import print_found, print_seed, print_undecided, run_view
from arena.terminal.streams import print_message

if TYPE_CHECKING:
    from arena.studies.comparison import Comparison


@click.command("compare", cls=options.BotCommand)
@click.argument("first", metavar="A")
@click.argument("other", metavar="B")
@click.argument("game")
@options.positive("-n --rounds", "N", "Play N blocks instead of a test.")
@options.text("--elo0", "ELO", "Elo that counts as not stronger.", type=float, default=0.0)
@options.text("--elo1", "ELO", "Elo that counts as stronger.", type=float, default=20.0)
@options.text("--alpha", "P", "Probability of a false positive.", type=float, default=0.05)
@options.text("--beta", "P", "Probability of a false negative.", type=float, default=0.05)
@options.workers_option
@options.clock_option
@options.natural("--seed", "S", "Seed of deals and bots.", show_default="secret")
@options.natural("--plies", "N", "Random actions that open a match.")
@options.file("--opening", "FILE", "Setups, one a line.")
@options.memory_option
@options.text("--name", "NAME", "Name of the comparison.", show_default="what is compared")
@options.anchor_option
@options.sandbox_option()
@options.unsafe_option
@options.durability_option()
@options.verbose_option
@options.exclusive("--plies", "--opening")
@options.exclusive(
    "--rounds", "--elo0", "--elo1", "--alpha", "--beta", why="it plays without a test"
)
@options.ask_option
def command(
    first: str,
    other: str,
    game: str,
    named: options.NamedBots,
    verbose: bool,
    as_json: bool,
    home: Path,
    **chosen: Any,
) -> int:
    """Find out whether A is stronger than B in GAME; exit code 0: yes, 1: not shown.

    A and B are names, NAME@VERSION, or paths, in quotes with arguments. Both meet on the same deals
    in all seats, until a sequential test (SPRT) shows whether A is stronger by --elo0 or by --elo1;
    in a game for more than two, B has all other seats. With --rounds they play N blocks, and A is
    stronger if that is at least 95 % likely. --elo0 below 0 makes a non-regression test: the exit
    code is 0 if A is not weaker by so much.

    A comparison is a tournament, which leaderboard, matches and show know. The same command again
    continues where it stopped; another version of a bot is another comparison.

    \b
    Examples:
      arena compare greedy random leaves
      arena compare my_bot.py greedy leaves --elo1 50
      arena compare my_bot.py random leaves --elo0 -200 --elo1 0
      arena compare "my_bot.py --sims 200" random leaves --rounds 10 --json
      arena compare my_bot.py greedy leaves --anchor greedy=1500
    """
    with run_view(verbose=verbose) as progress:
        from arena.studies.comparison import compare

        one, two = named([first, other])
        compared = compare(one, two, game, home, progress=progress, **chosen)
    text = f"{compared.sentence}\n{compared.numbers}"
    print_found(_as_json(compared), text, as_json=as_json)
    print_seed(compared.seed)
    if compared.undecided:
        return print_undecided(len(compared.undecided), compared.undecided)
    if compared.answer.reason == "repeats" or compared.answer.same_deal:
        print_message(
            "matches were alike, and the answer holds for such matches only; --plies, --opening "
            "FILE, or arguments of the bots vary them"
        )
    return 0 if compared.verdict in ("stronger", "not-weaker") else 1


def _as_json(compared: Comparison) -> dict[str, object]:
    bots = {"a": compared.first, "b": compared.other}
    lists = {"undecided": list(compared.undecided), "out": list(compared.out)}
    end = {"anchor": compared.anchor and dict([compared.anchor]), "sentence": compared.sentence}
    head = {"tournament": compared.tournament, "game": compared.game}
    return {**head, **bots, **compared.answer._asdict(), **lists, **end}
