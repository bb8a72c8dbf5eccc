"""What was measured of games' balance, as a page of one file with charts."""

from __future__ import annotations

from collections.abc import Sequence
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
from arena.report.charts import COLOURS, ChartLine, Histogram, histograms, interval, line_chart
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
        "choices": _choices(shapes),
        "shapes": [
            (bot, shape, chart)
            for (bot, shape), chart in zip(shapes, _lengths(shapes), strict=True)
        ],
    }


def _choices(shapes: Sequence[tuple[str, Shape]]) -> dict[str, Any] | None:
    """Return the charts of choices and of forced actions as games go on, a line a bot."""
    shapes = [(bot, shape) for bot, shape in shapes if shape.moments]
    if not shapes:
        return None

    def chart(title: str, which: str, times: float) -> Markup:
        lines = [
            ChartLine(
                bot,
                tuple((float(each.at), times * getattr(each, which)) for each in shape.moments),
                place if place < COLOURS else COLOURS,
            )
            for place, (bot, shape) in enumerate(shapes)
        ]
        said = "; ".join([line.ends for line in lines])
        return line_chart(title, f"{title}. {said}.", "action of the game", lines)

    return {
        "mean": chart("Legal actions to choose from", "choices", 1),
        "forced": chart("Forced actions, in percent", "forced", 100)
        if any(shape.forced for _, shape in shapes)
        else None,
        "tables": shapes,
    }


def _lengths(shapes: Sequence[tuple[str, Shape]]) -> list[Markup]:
    """Return the charts of how long games are, with the same axes, as they are compared."""
    if max((len(shape.lengths) for _, shape in shapes), default=0) < 2:
        return [Markup() for _ in shapes]
    each = [
        Histogram(f"Length, {bot}", f"Actions a game: {spread_text(shape.length)}.", shape.lengths)
        for bot, shape in shapes
    ]
    return histograms("actions a game", each)
