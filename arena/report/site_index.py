"""A report's first page: tables and charts of a whole tournament."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from arena.report.bracket_text import tie_note
from arena.report.charts import COLOURS, ChartLine, interval, line_chart
from arena.report.findings import findings
from arena.report.leaderboard_text import caveats
from arena.report.match_text import figures
from arena.report.site_links import CROSS, bot_files
from arena.report.site_values import Site
from arena.report.templates import Markup, linked, render_page
from arena.values.costs import COSTS
from arena.values.tables import LeaderboardRow
from arena.values.untrusted import show_lines

_SAMPLED = 8  # columns of the table beside the chart of ratings
BEST = 60  # bots that other tables than the leaderboard have
_BESIDE = 12  # bots of which a cross-table leaves room beside it
_ROUNDS = 30  # that are listed of a format without a bracket


def index_page(site: Site) -> str:
    """Return the page."""
    rows, links = site.board.rows, bot_files([bot.name for bot in site.bots])
    best, place = rows[:BEST], {row.bot: number for number, row in enumerate(rows)}
    known = [end for row in rows for end in (row.low, row.score, row.high) if end is not None]
    ends = min(known, default=0.0), max(known, default=0.0)
    seats = max((seat.seat + 1 for row in best for seat in row.seats), default=0)

    def mark(row: LeaderboardRow) -> Markup:
        assert row.score is not None
        return interval(row.score, row.low, row.high, *ends)

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
        rows=rows,
        mark=mark,
        most_ms=max((row.mean_ms or 0.0 for row in best), default=0.0) or 1.0,
        several=any(row.mean_rank is not None and row.mean_rank > 2 for row in rows),
        met={(row.bot, row.opponent): row for row in site.cross.rows},
        links=links,
        cross_file=CROSS if len(rows) > BEST else "",
        beside=len(rows) <= _BESIDE,
        rounds=site.rounds if site.bracket else site.rounds[-_ROUNDS:],
        matches=site.tally.last[::-1],
        figures=figures,
        tie_note=tie_note,
        seats=seats,
        seat_heads=[f"seat {seat}" for seat in range(seats)],
        course=_course(site.tally.course, best),
        codes=sorted({code for row in rows for code in row.faults}),
        costs=COSTS,
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


def _course(
    course: Mapping[str, Sequence[tuple[int, float]]], rows: Sequence[LeaderboardRow]
) -> Mapping[str, Any] | None:
    """Return the chart of ratings and its table; the best have colours."""
    found = {row.bot: dict(course[row.bot]) for row in rows if row.bot in course}
    if not found:
        return None
    lines = [
        ChartLine(name, tuple(elo.items()), place)
        for place, (name, elo) in enumerate(found.items())
    ]
    matches = sorted({at for elo in found.values() for at in elo})
    last = len(matches) - 1
    columns = sorted({round(last * part / (_SAMPLED - 1)) for part in range(_SAMPLED)})
    heads = [matches[at] for at in columns]
    many = "" if len(found) <= COLOURS else f" The best {COLOURS} have a colour."
    return {
        "chart": line_chart(
            "TrueSkill over the schedule",
            "TrueSkill's mean for each bot, match after match: it depends on the order of the"
            f" matches, and is not the score of the leaderboard.{many}",
            "matches",
            lines,
        ),
        "heads": heads,
        "rows": [(name, [elo.get(at) for at in heads]) for name, elo in found.items()],
        "many": many,
    }
