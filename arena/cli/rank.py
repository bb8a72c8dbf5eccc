"""``arena rank``: how strong a bot is, beside those that come with the arena."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.terminal.output import print_json, print_rows, run_view

if TYPE_CHECKING:
    from arena.studies.comparison import Comparison

OPPONENTS = ("random", "greedy", "careful")  # the weakest first
LEVELS = {f"mcts --level {level}": level for level in range(1, 6)}


@click.command("rank", cls=options.BotCommand)
@click.argument("bot")
@click.argument("game")
@options.positive(
    "-n --rounds", "N", "Deals that BOT plays against each opponent, in every seat.", default=6
)
@options.workers_option
@options.clock_option
@options.memory_option
@options.sandbox_option()
@options.unsafe_option
@options.ask_option
def command(
    bot: str,
    game: str,
    named: options.NamedBots,
    as_json: bool,
    home: Path,
    **chosen: Any,
) -> int:
    """Play BOT against each bundled bot in GAME, and print which of them it is stronger than.

    The opponents are random, greedy (which looks one action ahead), careful (two actions), and mcts
    (which searches) at the levels from 1 on, up to the first that BOT does not win against. BOT
    counts as stronger or weaker if that is at least 95 % likely. Each pair is a comparison like
    those of arena compare, with a fixed seed: the same command again plays nothing twice.

    \b
    Examples:
      arena rank my_bot.py leaves
      arena rank greedy connect_four --rounds 2
    """
    from arena.schedule.seeds import study_seed
    from arena.studies.comparison import compare

    found: list[Comparison] = []
    levels: dict[int, Comparison] = {}
    chosen["seed"] = study_seed("rank", 1)
    (entry,) = named([bot])
    for other in (*OPPONENTS, *LEVELS):
        if other == bot:
            continue
        with run_view(f"against {other}") as progress:
            compared = compare(entry, other, game, home, progress=progress, **chosen)
        found.append(compared)
        if other in LEVELS:
            levels[LEVELS[other]] = compared
            if compared.answer.wins <= compared.answer.losses:
                break
    near = _nearest(levels)
    if as_json:
        rows = [*map(_row, found)]
        print_json({"bot": found[0].first, "game": found[0].game, "level": near, "rows": rows})
    else:
        _print(found)
        if near is not None:
            result = _result(levels[near])
            click.echo(f"Of the levels of mcts, level {near} is nearest to it ({result}).")
    return 3 if any(compared.undecided for compared in found) else 0


def _nearest(levels: Mapping[int, Comparison]) -> int | None:
    """Return the level of mcts against which a bot was nearest to one half; ``None``: no match."""
    played = [level for level, compared in levels.items() if compared.answer.matches]
    return min(played, key=lambda level: abs(levels[level].answer.score - 0.5), default=None)


def _row(compared: Comparison) -> dict[str, object]:
    answer = compared.answer._asdict()
    names = ("verdict", "elo", "elo_low", "elo_high", "los", "matches", "wins", "draws", "losses")
    return {"opponent": compared.other, **{name: answer[name] for name in names}}


def _result(compared: Comparison) -> str:
    return f"{compared.answer.wins}–{compared.answer.draws}–{compared.answer.losses}"


def _print(found: list[Comparison]) -> None:
    from arena.report.comparison_text import elo_text, interval_note

    rows = [
        {
            "against": compared.other,
            f"{found[0].first} is": compared.answer.verdict,
            "Elo": elo_text(compared.answer),
            "W–D–L": _result(compared),
        }
        for compared in found
    ]
    print_rows(rows)
    for note in {interval_note(compared.answer) for compared in found} - {""}:
        click.echo(f"{note}.")
    if any(compared.answer.verdict == "inconclusive" for compared in found):
        click.echo("Where that is inconclusive, try more --rounds.")
