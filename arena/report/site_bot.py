"""A report's page of one bot."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from arena.report.charts import ChartLine, line_chart
from arena.report.match_text import figures
from arena.report.site_index import minute
from arena.report.site_links import INDEX, bot_files
from arena.report.site_values import BotFacts, Site
from arena.report.templates import Markup, linked, render_page
from arena.stats.by_decision import LARGEST, Curve
from arena.values.tables import LeaderboardRow

_RESULTS = 12  # matches with one opponent
_VERSIONS = 60  # of one program
_COLOUR = {"won": 0, "lost": 1, "drawn": 2}  # numbers of colours of a chart


def bot_page(site: Site, bot: BotFacts) -> str:
    """Return the page of a bot that is not out."""
    files, names = _others(tuple([each.name for each in site.bots]))
    rows = {row.bot: row for row in site.board.rows}
    return render_page(
        "site_bot.html",
        scripts=["sort.js", *(["newer.js"] if site.seen else [])],
        asks=site.seen is not None,
        site=site,
        quoted=shlex.quote,
        index=f"../{INDEX}",
        bot=bot,
        row=rows[bot.name],
        names=names,
        files=files,
        results=_results(bot),
        # then a match is one result against each of several opponents
        several=sum(each.games for each in bot.opponents) > rows[bot.name].games,
        versions=_versions(site, bot, rows),
        course=_course(site, bot.name),
        reported=[_reported(key, curves) for key, curves in bot.tally.reported.curves().items()],
        figures=figures,
        minute=minute,
    )


@lru_cache(1)  # all pages of a report have the same
def _others(bots: tuple[str, ...]) -> tuple[dict[str, str], dict[str, Markup]]:
    """Return the files of bots, and their names as links between their pages."""
    files = bot_files(bots)
    return files, linked(files, "../")


def _results(bot: BotFacts) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return by opponents some of the last matches with each, the last first: ids and results.

    Of a match of two the result is the bot's own figure, then the opponent's.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for match in reversed(bot.tally.last):
        seat, shown = match.entrants.index(bot.name), figures(match.ranks, match.scores)
        for place, other in enumerate(match.entrants):
            if place != seat:
                text = shown[seat] if match.scores is None else f"{shown[seat]}–{shown[place]}"
                found.setdefault(other, []).append((match.id, text))
    return {other: last[:_RESULTS] for other, last in found.items()}


def _versions(
    site: Site, bot: BotFacts, rows: Mapping[str, LeaderboardRow]
) -> Sequence[LeaderboardRow]:
    """Return the rows of the newest versions of a program, the oldest of them first.

    There are none where it is alone, or in public, where programs are not named.
    """
    if not bot.program:
        return []
    same = [each for each in site.bots if each.program == bot.program]
    same.sort(key=lambda each: (each.version, each.name))
    return [rows[each.name] for each in same[-_VERSIONS:]] if len(same) > 1 else []


def _course(site: Site, name: str) -> Markup | None:
    """Return the chart of a bot's rating; its table is on the first page."""
    points = tuple(site.tally.course.get(name, ()))
    if not points:
        return None
    said = f"From {points[0][1]:.0f} to {points[-1][1]:.0f}, between "
    said += f"{min(elo for _, elo in points):.0f} and {max(elo for _, elo in points):.0f}."
    return line_chart("TrueSkill over the schedule", said, "matches", [ChartLine(name, points, 0)])


def _reported(key: str, curves: Sequence[Curve]) -> Mapping[str, Any]:
    """Return the chart of a number that a bot reported, and its table."""
    lines = [
        ChartLine(
            curve.outcome,
            tuple([(float(point.decision), point.mean) for point in curve.points]),
            _COLOUR[curve.outcome],
            # three bands over one another cannot be distinguished
            tuple([min(point.spread, LARGEST) for point in curve.points])
            if curve.outcome != "drawn"
            else (),
        )
        for curve in curves
    ]
    said = "; ".join([line.ends for line in lines])
    rows: dict[int, dict[str, Any]] = {}
    for curve in curves:
        for point in curve.points:
            rows.setdefault(point.decision, {})[curve.outcome] = point
    return {
        "key": key,
        "chart": line_chart(
            f"{key} by decision",
            f"Mean and spread of {key}. {said}.",
            "decision of the bot",
            lines,
        )
        if lines
        else "",
        "outcomes": [curve.outcome for curve in curves],
        "rows": sorted(rows.items()),
    }
