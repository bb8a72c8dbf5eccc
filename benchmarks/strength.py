"""``python -m benchmarks strength``: how strong the levels of ``mcts`` are, and the page of it.

Each level plays the one below and ``greedy``. A level is left out in a game in which a decision of
it takes more than a second. A stopped run goes on where it was; a whole one takes hours.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.report.comparison_text import elo_text
from arena.report.table import plain_table
from arena.stats.strength import Answer
from arena.studies.comparison import compare
from arena.values.model import Clock
from engines import Game, game_names, load_game
from engines.search import Search, knowledge_of

__all__ = ["Level", "document", "main"]

PAGE = Path(__file__).parent.parent / "docs" / "strength.md"
LEVELS = {level: 50 * 4 ** (level - 1) for level in range(1, 6)}
BLOCKS = 40
CLOCK = Clock(move_ms=60_000, first_ms=0)
MOST_SECONDS = 1.0  # of CPU for a decision
GAMES, PLACES = 2, (0.1, 0.5)  # games in which that is measured, and how far they are then
SEED = 1
DASH = "–"  # where nothing is measured

HEAD = """\
# How strong the levels of mcts are

`mcts --level 1` to `--level 5` search 50, 200, 800, 3200 or 12800 times a decision. Elo has its
95 % interval, from {blocks} deals in both seats, 60 s a decision. `CPU` is what a decision took;
levels above a second have a dash.

<!-- not run: it takes hours -->
```sh
python -m benchmarks strength --write-docs
```
"""


class Level(NamedTuple):
    """What was measured of a level in a game; without results if its decisions take too long."""

    game: str
    level: int
    seconds: float
    below: Answer | None = None
    greedy: Answer | None = None


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print the page or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    add = parser.add_argument
    add("--only", action="append", metavar="GAME", help="may be repeated; all if none")
    add("--blocks", type=int, default=BLOCKS, metavar="N", help="deals of a pair [%(default)s]")
    add("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="[all cores]")
    add("--home", type=Path, default=Path(".arena"), metavar="DIR", help="[.arena]")
    add("--write-docs", action="store_true", help="write docs/strength.md, instead of printing it")
    options = parser.parse_args(words)
    found: list[Level] = []
    for game in options.only or game_names():
        for level in _measured(game, options.blocks, options.workers, options.home):
            print(*_cells(level), sep="  ", flush=True)
            found.append(level)
    text = document(found, options.blocks)
    if options.write_docs:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def document(levels: Sequence[Level], blocks: int) -> str:
    """Return the page."""
    heads = ("game", "level", "CPU", "Elo on the level below", "Elo on greedy")
    table = plain_table(heads, [_cells(level) for level in levels])
    missing = [game for game in game_names() if game not in {level.game for level in levels}]
    left = f"\nNot in this run: {', '.join(missing)}.\n" if missing else ""
    return f"{HEAD.format(blocks=blocks)}\n```text\n{table}```\n{left}"


def _measured(game: str, blocks: int, workers: int, home: Path) -> Iterator[Level]:
    """Yield the levels of a game, the weakest first."""

    def played(bot: str, other: str) -> Answer:
        return compare(
            bot, other, game, home, rounds=blocks, workers=workers, clock=CLOCK, seed=SEED
        ).answer

    for level, simulations in LEVELS.items():
        seconds = cpu_seconds(load_game(game), simulations)
        if seconds > MOST_SECONDS:
            yield Level(game, level, seconds)
            continue
        bot = f"mcts --level {level}"
        below = played(bot, f"mcts --level {level - 1}") if level > 1 else None
        yield Level(game, level, seconds, below, played(bot, "greedy"))


def cpu_seconds(rules: Game, simulations: int) -> float:
    """Return what a decision takes in the mean, early and in the midst of games at random."""
    taken = []
    for seed in range(GAMES):
        rng = random.Random(seed)
        states = [rules.new_initial_state(rules.setup(seed))]
        while players := states[-1].players_to_act():
            action = states[-1].sample_action(players[0], rng)
            states.append(states[-1].apply_action(players[0], action))
        for place in PLACES:
            state = states[int(place * len(states))]
            (player, *_) = state.players_to_act()
            begin = time.process_time()
            known = knowledge_of(rules)
            search = Search(rules, state.observation(player), player, rng, known)
            search.run(simulations, float("inf"))
            taken.append(time.process_time() - begin)
    return sum(taken) / len(taken)


def _cells(level: Level) -> list[str]:
    answers = [DASH if one is None else elo_text(one) for one in (level.below, level.greedy)]
    elo = [text.replace(" Elo", "") for text in answers]  # as the head of the column says it
    return [level.game, str(level.level), f"{1000 * level.seconds:.0f} ms", *elo]
