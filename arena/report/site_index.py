"""A report's first page: tables and charts of a whole tournament."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from arena.report.charts import COLOURS, ChartLine, bar, interval, line_chart
from arena.report.findings import findings
from arena.report.leaderboard_text import caveats
from arena.report.match_text import figures
from arena.report.site_links import CROSS, bot_files
from arena.report.site_values import RatingCourse, Site
from arena.report.templates import Markup, linked, render_page
from arena.values.costs import COSTS
from arena.values.tables import CrossTable, LeaderboardRow, MatchRow
from arena.values.untrusted import show, show_lines
from engines.core.drawing import escape

_SHADES = 10  # of a heat map, from no point to all of them
_SAMPLED = 8  # columns of the table beside the chart of ratings
BEST = 60  # bots that other tables than the leaderboard have
_BESIDE = 12  # bots of which a cross-table leaves room beside it
_ROUNDS = 30  # that are listed of a format without a bracket


def index_page(site: Site) -> str:
    """Return the page."""
    rows, links = site.board.rows, bot_files([bot.name for bot in site.bots])
    best, place = rows[:BEST], {row.bot: number for number, row in enumerate(rows)}
    known = [end for row in rows for end in (row.low, row.score, row.high) if end is not None]
    met = _against(site.cross)
    return render_page(
        "site_index.html",
        scripts=["sort.js", *(["newer.js"] if site.seen else [])],
        asks=site.seen is not None,
        place=place,
        site=site,
        bundles=any(row.bundle for row in rows),
        findings=findings(site),
        caveats=caveats,
        when=listed_times(site.created, site.last_run),
        quoted=shlex.quote,
        names=linked(links),
        best=BEST,
        rows=[_row(row, known) for row in rows],
        several=any(row.mean_rank is not None and row.mean_rank > 2 for row in rows),
        cross=_cross(site, met, links),
        cross_file=CROSS if len(rows) > BEST else "",
        beside=len(rows) <= _BESIDE,
        rounds=site.rounds if site.bracket else site.rounds[-_ROUNDS:],
        matches=site.last[::-1],
        figures=figures,
        wrong=wrong,
        seats=_seats(best),
        course=_course(site.course, best),
        codes=sorted({code for row in rows for code in row.faults}),
        costs=COSTS,
        times=[(row, Markup(bar(row.mean_ms or 0.0, _most_ms(best)))) for row in best],
        config=Markup("{}").format(show_lines(site.config)),
    )


def listed_times(first: str, last: str) -> str:
    """Return when a tournament was run, to the minute, UTC: the first time and the last."""
    found = dict.fromkeys([minute(first), minute(last)])
    return f"{' to '.join(found)} UTC"


def minute(text: str) -> str:
    """Return the time of a record to the minute; what is no time stays as it is."""
    try:
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}"
    except ValueError:
        return text


def against_id(number: int) -> str:
    """Return the id of the results against a bot, on a bot's page; ``number`` as in its file."""
    return f"against-{number}"


def wrong(match: MatchRow) -> list[str]:
    """Return who made which fault in a match."""
    return [f"{match.entrants[seat]}: {code}" for seat, code in match.faults]


def score_text(points: float, games: int) -> str:
    """Return points of so many matches.

    >>> score_text(12.5, 20)
    '12.5 of 20'
    """
    return f"{points:.10g} of {games}"


def heat(points: float, games: int, title: str = "", link: str = "") -> Markup:
    """Return a cell of a heat map, for points of so many matches; its text is a percentage.

    Args:
        points: a win is 1, a draw a half.
        games: none: the cell is empty.
        title: what comes before the points where they are named.
        link: a file of ours that the number leads to; empty: none.
    """
    if not games:
        return Markup("<td></td>")
    share = points / games
    text = f"{100 * share:.0f}"
    text = f'<a href="{link}">{text}</a>' if link else text
    said = escape(show(f"{title}{score_text(points, games)}", None))
    return Markup(
        f'<td class="h{share * _SHADES:.0f}" data-sort="{share:.4f}" title="{said}">{text}</td>'
    )


def _row(row: LeaderboardRow, known: Collection[float]) -> Mapping[str, Any]:
    mark = ""
    if row.score is not None:
        mark = interval(row.score, row.low, row.high, min(known), max(known))
    more = {"mark": Markup(mark), "interval": row.interval, "faulty": sum(row.faults.values())}
    return {**row._asdict(), **more, "standing": row.standing}


_Met = Mapping[str, Mapping[str, tuple[float, int]]]


def _most_ms(rows: Sequence[LeaderboardRow]) -> float:
    return max((row.mean_ms or 0.0 for row in rows), default=0.0)


def _against(cross: CrossTable) -> _Met:
    """Return the points and matches of each bot against each other one."""
    found: dict[str, dict[str, tuple[float, int]]] = {}
    for row in cross.rows:
        found.setdefault(row.bot, {})[row.opponent] = (row.points, row.games)
    return found


def _cross(site: Site, met: _Met, links: Mapping[str, str]) -> list[tuple[str, list[Markup]]]:
    """Return the cells of the best against each other; each leads to the results of the two."""
    ids = {bot.name: against_id(number) for number, bot in enumerate(site.bots, start=1)}
    best = site.cross.bots[:BEST]
    return [
        (
            bot,
            [
                heat(
                    *met.get(bot, {}).get(other, (0.0, 0)),
                    f"{bot} against {other}: ",
                    f"{links[bot]}#{ids[other]}" if {bot, other} <= ids.keys() else "",
                )
                for other in best
            ],
        )
        for bot in best
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


def _course(course: RatingCourse, rows: Sequence[LeaderboardRow]) -> Mapping[str, Any] | None:
    """Return the chart of ratings and its table; the best have colours."""
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
        "heads": [course.matches[at] for at in columns],
        "rows": [(name, [course.elo[name][at] for at in columns]) for name in names],
        "many": many,
    }
