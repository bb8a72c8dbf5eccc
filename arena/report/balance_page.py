"""What was measured of games' balance, as a page of one file with charts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from arena.report.balance_text import (
    doubling_texts,
    ends_text,
    share_text,
    skill_text,
    spread_text,
    variants,
    variants_text,
    verdict_text,
)
from arena.report.charts import COLOURS, ChartLine, Points, interval, line_chart
from arena.report.templates import Markup, render_page
from arena.stats.fairness import MirrorRow, MixedRow
from arena.stats.shape_of_games import Shape

FIRST_ACTIONS = 12  # that are shown: the most frequent ones, the best first


def balance_page(mirrors: Sequence[MirrorRow], mixed: Sequence[MixedRow], looks: int) -> str:
    """Return the page; the same measurements give the same bytes.

    Args:
        mirrors, mixed: the rows that were measured.
        looks: how often, at most, it looked whether a game is settled.
    """
    games = list(dict.fromkeys(row.game for row in mirrors))
    return render_page(
        "balance.html",
        games=[_game(game, mirrors, mixed) for game in games],
        variants=[variants_text(each) for each in variants(mirrors)],
        looks=looks,
        most=FIRST_ACTIONS,
        ends_text=ends_text,
        share_text=share_text,
        spread_text=spread_text,
        verdict_text=verdict_text,
        interval=interval,
    )


def _game(game: str, mirrors: Sequence[MirrorRow], mixed: Sequence[MixedRow]) -> dict[str, Any]:
    """Return what the page says of one game."""
    rows = [row for row in mirrors if row.game == game]
    measured = [(row.bot, row.balance) for row in rows if row.balance is not None]
    shapes = [(bot, of.shape) for bot, of in measured]
    return {
        "name": game,
        "rows": rows,
        "alone": all(of.players == 1 for _, of in measured),
        "skills": [
            (f"{pair.bot} - {pair.opponent}", skill_text(pair.skill))
            for pair in mixed
            if pair.game == game
        ],
        "doublings": list(doubling_texts([pair for pair in mixed if pair.game == game])),
        "charts": _charts(shapes),
        "shapes": shapes,
    }


def _charts(shapes: Sequence[tuple[str, Shape]]) -> list[tuple[str, Markup]]:
    """Return charts with a line a bot, each with its title, except those that would say nothing."""

    def chart(title: str, across: str, each: Sequence[Points]) -> tuple[str, Markup]:
        lines = [
            ChartLine(bot, tuple(points.items()), min(place, COLOURS))
            for place, ((bot, _), points) in enumerate(zip(shapes, each, strict=True))
            if points
        ]
        said = "; ".join([line.ends for line in lines])
        return title, line_chart(title, f"{title}. {said}.", across, lines)

    found = []
    moments = [shape.moments for _, shape in shapes]
    if any(moments):
        choices = [{one.at: one.choices for one in each} for each in moments]
        found.append(chart("Legal actions to choose from", "action of the game", choices))
    if any(shape.forced for _, shape in shapes):
        forced = [{one.at: 100 * one.forced for one in each} for each in moments]
        found.append(chart("Forced actions, in percent", "action of the game", forced))
    lengths = [shape.lengths for _, shape in shapes]
    if any(len(each) > 1 for each in lengths):
        over = [_over(each) for each in lengths]
        found.append(chart("Games that are over, in percent", "actions a game", over))
    return found


def _over(lengths: Sequence[tuple[int, int]]) -> Points:
    """Return how many games are over after so many actions, in percent."""
    over = list(accumulate(games for _, games in lengths))
    return {
        length: 100 * so_far / over[-1] for (length, _), so_far in zip(lengths, over, strict=True)
    }
