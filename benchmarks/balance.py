"""``python -m benchmarks.balance``: measure the balance of all games, and write the page.

Players that look at most one action ahead play until it is known whether a game is fair; players
that search, which take longer, so many rounds. A stopped run goes on where it was. A machine with
nothing else to do takes hours for it.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from arena.report.balance_text import balance_text, variants, variants_text
from arena.stats.fairness import Fairness, MirrorRow, MixedRow
from arena.studies.balance import BalanceReport, measure_balance
from engines import load_game

__all__ = ["document", "main"]

PAGE = Path(__file__).parent.parent / "docs" / "balance.md"
OTHERS = ("treeblox", "the_tree", "build_your_arboretum", "arborius")
SIMPLE = ("random", "greedy")
SEARCHER = "mcts --simulations 50"

HEAD = """\
# The balance of the five games

Is each game fair to its seats, at three strengths: bots that play at random, that look one action
ahead, and that search a little? [How to read the tables](how-to/is-my-game-fair.md).

<!-- not run: it takes hours -->
```sh
python -m benchmarks.balance --write-docs
```
"""


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print the page or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.balance", description=__doc__)
    add = parser.add_argument
    add("games", nargs="*", metavar="GAME", help="all if none")
    add("--rounds", type=int, default=50, metavar="N", help="of the first look [50]")
    add("--searched", type=int, default=16, metavar="N", help="rounds of searchers [16]")
    add("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="[all cores]")
    add("--home", type=Path, default=Path(".arena"), metavar="DIR", help="[.arena]")
    add("--write-docs", action="store_true", help="write docs/balance.md, instead of printing it")
    options = parser.parse_args(words)
    games = options.games or [*leaves(), *OTHERS]
    how = {"workers": options.workers}
    simple = measure_balance(
        games, options.home, bots=SIMPLE, rounds=options.rounds, until_settled=True, **how
    )
    searched = measure_balance(
        games, options.home, bots=(SIMPLE[1], SEARCHER), rounds=options.searched, **how
    )
    text = document(simple, searched)
    if options.write_docs:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def leaves() -> list[str]:
    """Return all variants of Leaves, as their canonical names."""
    words = [parameter.values or () for parameter in load_game("leaves").PARAMETERS]
    names = [parameter.name for parameter in load_game("leaves").PARAMETERS]
    texts = (
        ",".join(f"{name}={value}" for name, value in zip(names, values, strict=True))
        for values in itertools.product(*words)
    )
    return [str(load_game(f"leaves({text})")) for text in texts]


def document(simple: BalanceReport, searched: BalanceReport) -> str:
    """Return the page: first who does not search, then who does."""
    mirrors = [row for row in searched.mirrors if row.bot == SEARCHER]
    settled = [*simple.mirrors, *mirrors]
    parts = [
        HEAD,
        _count(settled),
        "## Players that do not search\n",
        f"{simple.rounds} rounds, doubled at most {simple.looks - 1} times until the verdict is "
        "settled;\nthe intervals allow for so many looks.\n",
        _block(simple.mirrors, simple.mixed),
        "## Players that search\n",
        f"{searched.rounds} rounds each; 95 % intervals.\n",
        _block(mirrors, searched.mixed),
    ]
    for title, rows in (("do not search", simple.mirrors), ("search", mirrors)):
        if differ := list(_differ(rows)):
            parts += [f"## Variants that differ, between players that {title}\n", *differ, ""]
    return "\n".join(parts).rstrip() + "\n"


def _count(rows: Sequence[MirrorRow]) -> str:
    known = [row.balance for row in rows if row.balance is not None]
    said = [each.verdict for each in known]
    counts = [f"{said.count(verdict)} {verdict}" for verdict in Fairness if verdict in said]
    return (
        f"{sum(each.matches for each in known)} matches between equal bots. Of {len(rows)} rows "
        f"(a game and a strength):\n{', '.join(counts)}.\n"
        f"{_missing({row.game for row in rows})}"
    )


def _missing(played: Collection[str]) -> str:
    left = [game for game in (*leaves(), *OTHERS) if game not in played]
    return f"\nNot in this run, which a whole one has: `{'`, `'.join(left)}`.\n" if left else ""


def _block(mirrors: Sequence[MirrorRow], mixed: Sequence[MixedRow]) -> str:
    return f"```text\n{shortened(balance_text(mirrors, mixed))}```\n"


def shortened(text: str) -> str:
    """Return the first table of ``arena balance``, the verdicts, and how the better bot scores."""
    table, rest = text.partition("\nwhat games look like")[0].split("\n\n", 1)
    rest = re.sub(r"(?m)^.* beside .*\n", "", rest)  # variants that differ have a section
    rest = re.sub(r"player 0 wins .* of decided games: | at this strength", "", rest)
    return f"{table}\n\n{re.sub('the first scores |; who plays .*', '', rest)}"


def _differ(rows: Sequence[MirrorRow]) -> Iterator[str]:
    for each in variants(rows):
        if not each.more.has(0.0):
            yield f"- {variants_text(each)}"


if __name__ == "__main__":
    main()
