"""A cross-table as text: a square for people, a row a pair for programs."""

from __future__ import annotations

from arena.report.table import Cell, csv_table, formatted, json_rows, note
from arena.values.tables import CrossRow, CrossTable

_NAMES = ("bot", "opponent", "seat", "games", "wins", "draws", "losses", "points")


def crosstable_text(table: CrossTable, style: str = "table") -> str:
    """Return a cross-table as ``table``, ``json``, ``csv`` or ``md``.

    For people: squares with wins-draws-losses of the row's bot against the column's, with all seats
    together and then from each seat; columns are numbered like rows. For programs: one row a pair,
    and one more for each seat (counted from 0; none: all seats together).

    Args:
        table: the cross-table.
        style: the format.

    Raises:
        UsageError: there is no such style.
    """
    if style == "json":
        more = {"bundles": dict(table.bundles)} if table.bundles else {}
        return json_rows(table.tournament, [_json_row(row) for row in table.rows], more)
    if style == "csv":
        return formatted(_NAMES, [list(_json_row(row).values()) for row in table.rows], style)
    seats = sorted({row.seat for row in table.rows if row.seat is not None})
    parts = [_square(table, None, style)]
    parts += [f"\nAs player {seat}:\n\n{_square(table, seat, style)}" for seat in seats]
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


def _square(table: CrossTable, seat: int | None, style: str) -> str:
    """Return everybody's results against everybody, from one seat or from all together."""
    met = {(row.bot, row.opponent): row for row in table.rows if row.seat == seat}
    rows: list[list[Cell]] = []
    for place, bot in enumerate(table.bots, start=1):
        against = [met.get((bot, opponent)) for opponent in table.bots]
        points = sum(row.points for row in against if row is not None)
        games = sum(row.games for row in against if row is not None)
        cells = [
            ("x" if opponent == bot else "")
            if row is None
            else f"{row.wins}-{row.draws}-{row.losses}"
            for row, opponent in zip(against, table.bots, strict=True)
        ]
        rows.append([place, bot, f"{points:g}/{games}", *cells])
    return formatted(["", "bot", "points", *map(str, range(1, len(table.bots) + 1))], rows, style)
