"""A list of matches as a table: what happened in each, in a line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from arena.report import table
from arena.report.table import Cell
from arena.report.times import local_time
from arena.tables import MatchRow
from arena.untrusted import width

__all__ = ["matches_text"]


class Narrower(NamedTuple):
    """What is left out where lines are too wide.

    Attributes:
        digits: of an id that are shown, which are nearly always enough to name a match.
        name: how many letters a name is cut to at most.
        years: whether times that are not of this year have it.
    """

    digits: int
    name: int
    years: bool = True


NARROWER = (Narrower(12, 6), Narrower(8, 6), Narrower(8, 4, years=False))
CUT = {"game": 6, "tournament": 8}  # to what these are cut if that is not enough


def matches_text(rows: Sequence[MatchRow], *, year: int, columns: int | None = None) -> str:
    """Return a line a match, below a head.

    Tournament and game are named where there are several, who was at fault where anybody was, and
    which match is repeated where one is.

    Args:
        rows: the matches, with the times they started and their scores; at least one.
        year: times of this one are shown without it.
        columns: cut ids, then names, so that lines are no wider than this, as far as they can be.
    """
    text = _table(rows, year, {})
    for narrower in NARROWER:
        if columns is None or _width(text) <= columns:
            break
        text = _narrowed(rows, year, columns, narrower)
    return text


def _narrowed(rows: Sequence[MatchRow], year: int, columns: int, narrower: Narrower) -> str:
    """Return the table with ids, then names, then games cut as far as they have to be."""
    rows = [row._replace(id=row.id[: narrower.digits]) for row in rows]
    shown_year = year if narrower.years else None
    wide = _width(_table(rows, shown_year, {}))
    seats = {row.entrants for row in rows}
    faults = {(row.entrants, row.faults, row.by) for row in rows}

    def room(names: Mapping[str, str]) -> int:
        """Return the widths of the two columns of names, at least as wide as their headers."""
        bots = max(width(_seats(each, names)) for each in seats)
        wrong = max(width(_at_fault(*each, names)) for each in faults)
        return max(bots, len("bots")) + (max(wrong, len("at fault")) if wrong else 0)

    names: Collection[str] = {name for each in seats for name in each}
    fixed = wide - room({})
    for limit in range(max(map(len, names), default=0) + 1, narrower.name - 1, -1):
        cut = {name: table.cut(name, limit) for name in names}
        if fixed + room(cut) <= columns:
            break
    return _table(rows, shown_year, cut, columns)


def _table(
    rows: Sequence[MatchRow],
    year: int | None,
    names: Mapping[str, str],
    columns: int | None = None,
) -> str:
    several = {"tournament": {row.tournament for row in rows}, "game": {row.game for row in rows}}
    cells: dict[str, list[Cell]] = {
        "tournament": [row.tournament for row in rows],
        "id": [row.id for row in rows],
        "started": [local_time(row.started, year) for row in rows],
        "game": [row.game for row in rows],
        "bots": [_seats(row.entrants, names) for row in rows],
        "result": [_result(row) for row in rows],
        "length": [row.decisions for row in rows],
        "at fault": [_at_fault(row.entrants, row.faults, row.by, names) for row in rows],
        "by": [row.by if row.counted else f"{row.by}, not counted" for row in rows],
        "repeats": [row.repeats for row in rows],
    }
    left_out = {name for name, values in several.items() if len(values) < 2}
    left_out |= {name for name in ("at fault", "repeats") if not any(cells[name])}
    heads = [name for name in cells if name not in left_out]
    lines = [
        dict(zip(heads, line, strict=True)) for line in zip(*(cells[n] for n in heads), strict=True)
    ]
    if columns is not None:
        lines = table.fit(lines, columns, CUT)
    return table.plain_table(heads, [list(line.values()) for line in lines])


def _width(text: str) -> int:
    return max(map(width, text.splitlines()))


def _seats(entrants: Sequence[str], names: Mapping[str, str]) -> str:
    return " - ".join([names.get(name, name) for name in entrants])


def _result(row: MatchRow) -> str:
    """Return scores by seat, ``12 - 9``; ranks where the rules did not end the match."""
    if row.scores is None:
        return f"rank {', '.join(map(str, row.ranks))}"
    return " - ".join([f"{score:.10g}" for score in row.scores])


def _at_fault(
    entrants: Sequence[str],
    faults: Sequence[tuple[int, str]],
    by: str,
    names: Mapping[str, str],
) -> str:
    """Return who was at fault, each with the code if that is not why the match ended."""
    return ", ".join(
        [
            names.get(entrants[seat], entrants[seat]) + ("" if code == by else f": {code}")
            for seat, code in faults
        ]
    )
