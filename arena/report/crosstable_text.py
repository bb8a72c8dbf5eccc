"""A cross-table as text: a square for people, a row a pair for programs."""

from __future__ import annotations

from collections.abc import Callable

from arena.report.table import Cell, columns_of, csv_table, formatted, json_rows, note
from arena.values.tables import CrossRow, CrossTable

_NAMES = ("bot", "opponent", "seat", "games", "wins", "draws", "losses", "points")


def crosstable_text(table: CrossTable, style: str = "table", *, width: int | None = None) -> str:
    """Return a cross-table as ``table``, ``json``, ``csv`` or ``md``.

    For people: squares with wins-draws-losses of the row's bot against the column's, with all seats
    together and then from each seat; columns are numbered like rows. For programs: one row a pair,
    and one more for each seat (counted from 0; none: all seats together).

    Args:
        table: the cross-table.
        style: the format.
        width: how wide a ``table`` may be: results are percentages in one that is wider, and what
            still does not fit is left out on the right, and said so. ``None``: as wide as it is.

    Raises:
        UsageError: there is no such style.
    """
    if style == "json":
        more = {"bundles": dict(table.bundles)} if table.bundles else {}
        return json_rows(table.tournament, [_json_row(row) for row in table.rows], more)
    if style == "csv":
        return formatted(_NAMES, [list(_json_row(row).values()) for row in table.rows], style)
    seats = sorted({row.seat for row in table.rows if row.seat is not None})
    most = width if style == "table" else None
    parts = [_square(table, None, style, most)]
    parts += [f"\nAs player {seat}:\n\n{_square(table, seat, style, most)}" for seat in seats]
    parts += [
        note(f"{name} is the program of {bundle}, and not the one of that name here.", style)
        for name, bundle in table.bundles
    ]
    return "".join(parts)


def crosstable_square(table: CrossTable) -> str:
    """Return a cross-table as CSV: of each row's bot the percent of points against each column's.

    It is a twentieth of the CSV with a row a pair.
    """
    met: dict[str, dict[str, int]] = {}
    for row in table.rows:
        if row.seat is None:
            met.setdefault(row.bot, {})[row.opponent] = round(100 * row.points / row.games)
    rows = [[bot, *map(met.get(bot, {}).get, table.bots)] for bot in table.bots]
    return csv_table(["bot", *table.bots], rows)


def _json_row(row: CrossRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in _NAMES}


def _square(table: CrossTable, seat: int | None, style: str, most: int | None) -> str:
    """Return a square; one that is wider than ``most`` has shorter cells, then fewer columns."""
    whole = formatted(*_cells(table, seat, _results), style)
    if most is None or columns_of(whole) <= most:
        return whole
    heads, rows = _cells(table, seat, _percent)
    count = len(heads)
    while count > 4 and columns_of(_first(heads, rows, count, style)) > most:
        count -= 1
    notes = ["", "in percent of the points, as the results are too wide"]
    if count < len(heads):
        notes.append(f"{count - 3} of {len(heads) - 3} columns; all are in --format csv")
    return _first(heads, rows, count, style) + "".join(f"{line}\n" for line in notes)


def _first(heads: list[str], rows: list[list[Cell]], count: int, style: str) -> str:
    return formatted(heads[:count], [row[:count] for row in rows], style)


def _cells(
    table: CrossTable, seat: int | None, write: Callable[[CrossRow], str]
) -> tuple[list[str], list[list[Cell]]]:
    """Return the headings and the rows of a square, with a pair's results as ``write`` does."""
    met = {(row.bot, row.opponent): row for row in table.rows if row.seat == seat}
    rows: list[list[Cell]] = []
    for place, bot in enumerate(table.bots, start=1):
        against = [met.get((bot, opponent)) for opponent in table.bots]
        points = sum(row.points for row in against if row is not None)
        games = sum(row.games for row in against if row is not None)
        cells = [
            ("x" if opponent == bot else "") if row is None else write(row)
            for row, opponent in zip(against, table.bots, strict=True)
        ]
        rows.append([place, bot, f"{points:g}/{games}", *cells])
    return ["", "bot", "points", *map(str, range(1, len(table.bots) + 1))], rows


def _results(row: CrossRow) -> str:
    return f"{row.wins}-{row.draws}-{row.losses}"


def _percent(row: CrossRow) -> str:
    return f"{100 * row.points / row.games:.0f}" if row.games else ""
