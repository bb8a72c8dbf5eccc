"""A list of matches as a table: what happened in each, in a line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from arena.report.table import Cell, plain_table
from arena.report.times import local_time
from arena.tables import MatchRow
from arena.untrusted import show, width

__all__ = ["matches_text"]

# where lines are too wide
DIGITS = 12  # of an id, which are nearly always enough to name a match
SHORTEST = 6  # that a name is cut to


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
    wide = _width(text)
    if columns is None or wide <= columns:
        return text
    rows = [row._replace(id=row.id[:DIGITS]) for row in rows]
    wide = _width(_table(rows, year, {}))
    seats = {row.entrants for row in rows}
    faults = {(row.entrants, row.faults, row.by) for row in rows}

    def room(names: Mapping[str, str]) -> int:
        """Return how wide the two columns are that names stand in, as their heads are, at least."""
        bots = max(width(_seats(each, names)) for each in seats)
        wrong = max(width(_at_fault(*each, names)) for each in faults)
        return max(bots, len("bots")) + (max(wrong, len("at fault")) if wrong else 0)

    names: Collection[str] = {name for each in seats for name in each}
    fixed = wide - room({})
    for limit in range(max(map(len, names), default=0) + 1, SHORTEST - 1, -1):
        cut = {name: _cut(name, limit) for name in names}
        if fixed + room(cut) <= columns:
            break
    return _table(rows, year, cut)


def _table(rows: Sequence[MatchRow], year: int, names: Mapping[str, str]) -> str:
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
    return plain_table(heads, zip(*(cells[name] for name in heads), strict=True))


def _width(text: str) -> int:
    return max(map(width, text.splitlines()))


def _cut(name: str, limit: int) -> str:
    """Return a name with its middle left out, since versions stand at the end."""
    name = show(name, None)
    tail = (limit - 1) // 2
    return name if len(name) <= limit else f"{name[: limit - 1 - tail]}…{name[-tail:]}"


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
