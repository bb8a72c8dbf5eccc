"""A list of matches as a table: what happened in each, in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.report import table
from arena.report.table import Cell
from arena.values.tables import MatchRow
from arena.values.words import local_time

__all__ = ["matches_text"]


# what is tried until lines are narrow enough: digits of an id, letters of a name, and whether times
# of other years have the year
NARROWER = [
    (digits, letters, years)
    for digits, fewest, years in ((12, 6, True), (8, 6, True), (8, 4, False))
    for letters in (32, 24, 16, 12, 10, 8, 7, 6, 5, 4)
    if letters >= fewest
]
CUT = {"game": 6, "tournament": 8}  # to what these are cut if that is not enough


def matches_text(rows: Sequence[MatchRow], *, year: int, columns: int | None = None) -> str:
    """Return a line a match, below a head.

    Tournament and game are named where there are several, who was at fault where anybody was, who
    pondered where anybody did, and which match is repeated where one is.

    Args:
        rows: the matches, with the times they started and their scores; at least one.
        year: times of this one are shown without it.
        columns: cut ids, then names, so that lines are no wider than this, as far as they can be.
    """
    narrow: Sequence[MatchRow] = rows
    text = _table(rows, year)
    for digits, letters, years in NARROWER:
        if columns is None or table.columns_of(text) <= columns:
            break
        short = {name: table.cut(name, letters) for row in rows for name in row.entrants}
        narrow = [row._replace(id=row.id[:digits], entrants=_cut(row, short)) for row in rows]
        text = _table(narrow, year if years else None)
    else:
        text = _table(narrow, None, columns)  # with texts of other columns cut, if it has to be
    return text


def _cut(row: MatchRow, short: Mapping[str, str]) -> tuple[str, ...]:
    return tuple([short[name] for name in row.entrants])


def _table(rows: Sequence[MatchRow], year: int | None, columns: int | None = None) -> str:
    several = {"tournament": {row.tournament for row in rows}, "game": {row.game for row in rows}}
    left_out = {name for name, values in several.items() if len(values) < 2}
    lines: list[dict[str, Cell]] = [
        {
            "tournament": row.tournament,
            "id": row.id,
            "started": local_time(row.started, year),
            "game": row.game,
            "bots": " - ".join(row.entrants),
            "result": _result(row),
            "length": row.decisions,
            "at fault": _at_fault(row),
            "pondered": ", ".join([row.entrants[seat] for seat in row.pondered]),
            "by": row.by if row.counted else f"{row.by}, not counted",
            "repeats": row.repeats,
        }
        for row in rows
    ]
    left_out |= {
        name for name in ("at fault", "pondered", "repeats") if not any(x[name] for x in lines)
    }
    lines = [{name: x[name] for name in x if name not in left_out} for x in lines]
    if columns is not None:
        lines = table.fit(lines, columns, CUT)
    return table.plain_table(list(lines[0]), [list(line.values()) for line in lines])


def _result(row: MatchRow) -> str:
    """Return scores by seat, ``12 - 9``; ranks where the rules did not end the match."""
    if row.scores is None and len(row.ranks) == 1:
        return "no score"
    if row.scores is None:
        return f"rank {', '.join(map(str, row.ranks))}"
    return " - ".join([f"{score:.10g}" for score in row.scores])


def _at_fault(row: MatchRow) -> str:
    """Return the players at fault, each with the code if that is not why the match ended."""
    return ", ".join(
        [row.entrants[seat] + ("" if code == row.by else f": {code}") for seat, code in row.faults]
    )
