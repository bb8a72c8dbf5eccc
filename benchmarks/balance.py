"""``python -m benchmarks.balance``: measure the balance of all games, and write page and table.

Players that look at most one action ahead play until it is known whether a game is fair; players
that search, which take longer, so many rounds. A stopped run goes on where it was. A machine with
nothing else to do takes hours for it.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from arena.report.balance_text import variants
from arena.report.table import plain_table
from arena.stats.fairness import Fairness, MirrorRow, MixedRow
from arena.stats.intervals import Estimate
from arena.studies.balance import BalanceReport, measure_balance
from engines import load_game

__all__ = ["document", "main"]

PAGE = Path(__file__).parent.parent / "docs" / "balance.md"
TABLE = PAGE.with_suffix(".csv")  # with all variants
OTHERS = ("treeblox", "the_tree", "build_your_arboretum", "arborius")
SIMPLE = ("random", "greedy")
SEARCHER = "mcts --simulations 50"

HEAD = """\
# The balance of the five games

Is each game fair to its seats, at three strengths: bots that play at random, that look one action
ahead, and that search a little (`mcts --simulations 50`)?
"""
HOW = """\
`wins` is how many percent of the decided games player 0 won, and `beats` what the bot scores
against the next weaker one, both with their intervals; the other columns are those of
[`arena balance`](how-to/is-my-game-fair.md#read-the-table). [A file](balance.csv) has all variants
of Leaves.

<!-- not run: it takes hours -->
```sh
python -m benchmarks.balance --write-docs
```
"""
DIFFER = """\
How many more percent of the decided games player 0 wins than in the game's standard form:
"""
HEADS = ("game", "bot", "matches", "verdict", "wins", "beats", "draws", "length", "choices", "deal")


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
    if options.write_docs:
        PAGE.write_text(document(simple, searched), encoding="utf-8")
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADS, *_rows(simple, searched)])
    else:
        print(document(simple, searched), end="")


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
    """Return the page, with a table of the games in their standard forms."""
    mirrors = _mirrors(simple, searched)
    rows = [row for row in _rows(simple, searched) if not str(row[0]).startswith("leaves(")]
    table = plain_table(HEADS, rows)
    parts = [
        HEAD,
        _count(mirrors),
        f"Bots that do not search played {simple.rounds} rounds, doubled at most "
        f"{simple.looks - 1} times until the verdict was\nsettled; the intervals allow for so many "
        f"looks. The others played {searched.rounds} rounds.\n",
        HOW,
        f"```text\n{table}```\n",
    ]
    if differ := list(_differ(mirrors)):
        parts += ["## Variants that differ\n", DIFFER, *differ]
    return "\n".join(parts).rstrip() + "\n"


def _mirrors(simple: BalanceReport, searched: BalanceReport) -> list[MirrorRow]:
    """Return the rows of equal bots: each game with who does not search, then who does."""
    mirrors = [*simple.mirrors, *(row for row in searched.mirrors if row.bot == SEARCHER)]
    return sorted(mirrors, key=lambda row: [each.game for each in simple.mirrors].index(row.game))


def _rows(simple: BalanceReport, searched: BalanceReport) -> list[list[object]]:
    beaten = {(row.game, row.bot): row for row in (*simple.mixed, *searched.mixed)}
    return [_cells(row, beaten.get((row.game, row.bot))) for row in _mirrors(simple, searched)]


def _cells(row: MirrorRow, beaten: MixedRow | None) -> list[object]:
    found, skill = row.balance, beaten and beaten.skill
    bot = row.bot.partition(" ")[0]
    if found is None:
        return [row.game, bot, 0, *[""] * 7]
    return [
        row.game, bot, found.matches, found.verdict,
        _percent(found.wins[0]) if found.wins else "",
        _percent(skill.score) if skill else "",
        f"{100 * found.drawn.value:.0f}",
        f"{found.length.value:.1f}", f"{found.branching.value:.1f}",
        "" if found.deal is None else f"{100 * found.deal:.0f}",
    ]  # fmt: skip


def _percent(share: Estimate) -> str:
    value, low, high = (f"{100 * end:.0f}" for end in share)
    return f"{value} ({low}–{high})"


def _count(rows: Sequence[MirrorRow]) -> str:
    known = [row.balance for row in rows if row.balance is not None]
    said = [each.verdict for each in known]
    counts = [f"{said.count(verdict)} {verdict}" for verdict in Fairness if verdict in said]
    return (
        f"{sum(each.matches for each in known)} matches between equal bots: of {len(rows)} rows "
        f"{', '.join(counts)}.\n{_missing({row.game for row in rows})}"
    )


def _missing(played: Collection[str]) -> str:
    left = [game for game in (*leaves(), *OTHERS) if game not in played]
    return f"\nNot in this run, which a whole one has: `{'`, `'.join(left)}`.\n" if left else ""


def _differ(rows: Sequence[MirrorRow]) -> Iterator[str]:
    for each in variants(rows):
        if not each.more.has(0.0):
            more, low, high = (f"{100 * end:+.0f}" for end in each.more)
            yield f"- `{each.game}`, {each.bot.partition(' ')[0]}: {more} ({low} to {high})"


if __name__ == "__main__":
    main()
