"""A report's first page: tables and charts of a whole tournament."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena.report.charts import COLOURS, ChartLine, bar, interval, line_chart, swatch
from arena.report.site_links import bot_files, match_file
from arena.report.site_values import RatingCourse, Site
from arena.report.templates import Markup, render_page
from arena.values.tables import CrossTable, LeaderboardRow
from arena.values.untrusted import show, show_lines

__all__ = ["heat", "index_page", "score_text"]

_SHADES = 10  # of a heat map, from no point to all of them
_SAMPLED = 8  # columns of the table beside the chart of ratings


class Cell(NamedTuple):
    """A cell of a heat map: its text, what sorts it, and its shade; none: the two never met."""

    text: str
    share: str
    shade: int | None
    title: str


def index_page(site: Site) -> str:
    """Return the page."""
    rows, links = site.board.rows, bot_files([bot.name for bot in site.bots])
    place = {row.bot: number for number, row in enumerate(rows)}
    return render_page(
        "site_index.html",
        scripts=["sort.js", "pick.js", *(["newer.js"] if site.seen else [])],
        data=_data(site, place),
        asks=site.seen is not None,
        place=place,
        site=site,
        quoted=shlex.quote,
        links=links,
        match_file=match_file,
        rows=[_row(row, site) for row in rows],
        several=any(row.mean_rank is not None and row.mean_rank > 2 for row in rows),
        cross=_cross(site.cross),
        seats=_seats(rows),
        course=_course(site.course, rows),
        codes=_codes(rows),
        times=[(row, Markup(bar(row.mean_ms or 0.0, _most_ms(rows)))) for row in rows],
        config=Markup("{}").format(show_lines(site.config)),
    )


def score_text(points: float, games: int) -> str:
    """Return points of so many matches.

    >>> score_text(12.5, 20)
    '12.5 of 20'
    """
    return f"{points:.10g} of {games}"


def heat(points: float, games: int, title: str = "") -> Cell:
    """Return a cell for points of so many matches; its text is a percentage."""
    if not games:
        return Cell("", "", None, title)
    share = points / games
    text = f"{100 * share:.0f}"
    return Cell(text, f"{share:.4f}", round(share * _SHADES), f"{title}{score_text(points, games)}")


def _row(row: LeaderboardRow, site: Site) -> Mapping[str, Any]:
    known = [
        place
        for each in site.board.rows
        for place in (each.low, each.score, each.high)
        if place is not None
    ]
    mark = interval(row.score, row.low, row.high, min(known), max(known))
    more = {"mark": Markup(mark), "interval": row.interval, "faulty": sum(row.faults.values())}
    return {**row._asdict(), **more}


def _data(site: Site, place: Mapping[str, int]) -> Mapping[str, Any]:
    """Return what the script reads, in which bots are numbers: their rows in the leaderboard."""
    met = _against(site.cross)
    return {
        "names": [show(name) for name in place],
        "against": [
            {place[other]: score for other, score in met.get(name, {}).items()} for name in place
        ],
        "lines": [place[name] for name in place if name in site.course.elo],
    }


def _most_ms(rows: Sequence[LeaderboardRow]) -> float:
    return max((row.mean_ms or 0.0 for row in rows), default=0.0)


def _against(cross: CrossTable) -> dict[str, dict[str, tuple[float, int]]]:
    """Return the points and matches of each bot against each other one."""
    found: dict[str, dict[str, tuple[float, int]]] = {}
    for row in cross.rows:
        if row.seat is None:
            found.setdefault(row.bot, {})[row.opponent] = (row.points, row.games)
    return found


def _cross(cross: CrossTable) -> list[tuple[str, list[Cell]]]:
    found = _against(cross)
    return [
        (
            bot,
            [
                heat(*found.get(bot, {}).get(other, (0.0, 0)), f"{bot} against {other}: ")
                for other in cross.bots
            ],
        )
        for bot in cross.bots
    ]


def _seats(rows: Sequence[LeaderboardRow]) -> Mapping[str, Any] | None:
    """Return how each bot did from each seat; nothing where there is one seat only."""
    count = max((seat.seat + 1 for row in rows for seat in row.seats), default=0)
    if count < 2:
        return None
    found = []
    for row in rows:
        seats = {seat.seat: heat(*seat.score) for seat in row.seats}
        found.append((row.bot, [seats.get(seat, heat(0, 0)) for seat in range(count)]))
    return {"heads": [f"seat {seat}" for seat in range(count)], "rows": found}


def _codes(rows: Sequence[LeaderboardRow]) -> list[str]:
    return sorted({code for row in rows for code in row.faults})


def _course(course: RatingCourse, rows: Sequence[LeaderboardRow]) -> Mapping[str, Any] | None:
    """Return the chart of ratings, its legend and its table; the best have colours."""
    names = [row.bot for row in rows if row.bot in course.elo]
    if not names:
        return None
    lines = []
    for place, name in enumerate(names):
        pairs = zip(course.matches, course.elo[name], strict=True)
        points = tuple([(float(at), elo) for at, elo in pairs if elo is not None])
        lines.append(ChartLine(name, points, place))
    last = len(course.matches) - 1
    columns = sorted({round(last * part / (_SAMPLED - 1)) for part in range(_SAMPLED)})
    many = "" if len(names) <= COLOURS else f" The best {COLOURS} have a colour."
    return {
        "chart": Markup(
            line_chart(
                "TrueSkill over the schedule",
                "TrueSkill's mean for each bot, match after match: it depends on the order of the"
                f" matches, and is not the score of the leaderboard.{many}",
                "matches",
                lines,
            )
        ),
        "legend": [(name, Markup(swatch(place))) for place, name in enumerate(names[:COLOURS])],
        "heads": [course.matches[at] for at in columns],
        "rows": [(name, [course.elo[name][at] for at in columns]) for name in names],
        "many": many,
    }
