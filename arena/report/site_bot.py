"""A report's page of one bot."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from arena.report.charts import ChartLine, line_chart
from arena.report.match_text import figures
from arena.report.site_index import against_id, heat, minute, wrong
from arena.report.site_links import INDEX, bot_files
from arena.report.site_values import BotFacts, Site
from arena.report.templates import (
    Markup,
    ended,
    harmless,
    linked,
    render_page,
    to_match,
    versus,
)
from arena.stats.by_decision import LARGEST, Curve
from arena.values.tables import LeaderboardRow, MatchRow

_RESULTS = 12  # matches with one opponent
_VERSIONS = 60  # of one program
_COLOUR = {"won": 0, "lost": 1, "drawn": 2}  # numbers of colours of a chart


def bot_page(site: Site, bot: BotFacts) -> str:
    """Return the page of a bot that is not out."""
    _, names = _others(tuple([each.name for each in site.bots]))
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
        opponents=_opponents(site, bot),
        # then a match is one result against each of several opponents
        several=sum(each.games for each in bot.opponents) > rows[bot.name].games,
        games=[
            (game, counts, heat(counts[0] + counts[1] / 2, sum(counts)))
            for game, counts in bot.games.items()
        ],
        seats=[(seat, heat(*seat.score)) for seat in rows[bot.name].seats],
        versions=_versions(site, bot, rows),
        course=_course(site, bot.name),
        reported=[_reported(key, curves) for key, curves in bot.reported.items()],
        matches=[_match(site, match, bot.name, names) for match in reversed(bot.matches)],
    )


@lru_cache(1)  # all pages of a report have the same
def _others(bots: tuple[str, ...]) -> tuple[dict[str, str], dict[str, Markup]]:
    """Return the ids of the results against bots, and bots' names as links between their pages."""
    ids = {name: against_id(number) for number, name in enumerate(bots, start=1)}
    files = {name: file.removeprefix("bots/") for name, file in bot_files(bots).items()}
    return ids, linked(files)


def _opponents(site: Site, bot: BotFacts) -> Sequence[Markup]:
    """Return the rows of the table of opponents.

    They are made here and not in the template, which takes several times as long: a report of 400
    bots has 160,000 of them.
    """
    ids, names = _others(tuple([each.name for each in site.bots]))
    met = _results(bot)
    found = []
    for one in bot.opponents:
        here = f' id="{ids[one.opponent]}"' if one.opponent in ids else ""
        name = names.get(one.opponent) or harmless(one.opponent)
        counts = (one.games, one.wins, one.draws, one.losses)
        results = [
            to_match(match, site.pages, "../", text)
            for match, text in met.get(one.opponent, ())[:_RESULTS]
        ]
        cells = [
            f'<tr{here}><th scope="row" title="{harmless(one.opponent)}">{name}</th>',
            heat(one.points, one.games),
            *[f"<td>{count}</td>" for count in counts],
            f'<td class="results">{" ".join(results)}</td></tr>',
        ]
        found.append(Markup("".join(cells)))
    return found


def _results(bot: BotFacts) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return by opponents the last matches with each, the last one first: ids and results.

    Of a match of two the result is the bot's own figure, then the opponent's.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for match in reversed(bot.matches):
        seat, shown = match.entrants.index(bot.name), figures(match.ranks, match.scores)
        for place, other in enumerate(match.entrants):
            if place != seat:
                text = shown[seat] if match.scores is None else f"{shown[seat]}–{shown[place]}"
                found.setdefault(other, []).append((match.id, text))
    return found


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
    pairs = zip(site.course.matches, site.course.elo.get(name, ()), strict=False)
    points = tuple([(float(at), elo) for at, elo in pairs if elo is not None])
    if not points:
        return None
    said = f"From {points[0][1]:.0f} to {points[-1][1]:.0f}, between "
    said += f"{min(elo for _, elo in points):.0f} and {max(elo for _, elo in points):.0f}."
    return Markup(
        line_chart("TrueSkill over the schedule", said, "matches", [ChartLine(name, points, 0)])
    )


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
        "chart": Markup(
            line_chart(
                f"{key} by decision",
                f"Mean and spread of {key}. {said}.",
                "decision of the bot",
                lines,
            )
        )
        if lines
        else "",
        "outcomes": [curve.outcome for curve in curves],
        "rows": sorted(rows.items()),
    }


def _match(site: Site, match: MatchRow, name: str, names: Mapping[str, Markup]) -> Markup:
    """Return the row of a match of a bot."""
    seat = match.entrants.index(name)
    rank, first = match.ranks[seat], match.ranks.count(1)
    result = "lost" if rank > 1 else "won" if first == 1 else "drawn"
    when = f"{harmless(minute(match.started))}Z" if match.started else ""
    return Markup(
        "".join(
            [
                f'<tr><td class="num">{match.number}</td>',
                f"<td>{to_match(match.id, site.pages, '../', match.id[:8])}</td>",
                f"<td>{harmless(match.game)}</td>" if len(site.games) > 1 else "",
                f"<td>{versus(match.entrants, figures(match.ranks, match.scores), names)}</td>",
                f'<td class="num">{seat}</td><td>{result}</td><td class="num">{rank}</td>',
                ended(wrong(match), match.by),
                f'<td class="num">{match.decisions}</td>',
                f"<td>{when}</td></tr>",
            ]
        )
    )
