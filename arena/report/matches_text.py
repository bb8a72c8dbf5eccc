"""A list of matches: what happened in each, as a line of a table or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from arena.report.table import Cell, listing
from arena.values.tables import MatchRow
from arena.values.words import local_time

_JSON = (
    "id", "tournament", "number", "game", "block", "seating", "bots", "scores", "ranks",
    "decisions", "by", "faults", "pondered", "counted", "started", "imported",
)  # fmt: skip
# room on a narrow terminal
GIVE = (
    ("id", 12), ("bots", 27), ("id", 8), ("bots", 15), ("tournament", 8), ("game", 6),
    ("bots", 11), ("started", 0),
)  # fmt: skip


def matches_text(rows: Sequence[MatchRow], *, year: int, columns: int | None = None) -> str:
    """Return a line a match, below a head.

    Tournament and game are named where there are several, who was at fault where anybody was, who
    pondered where anybody did, and which match is repeated where one is.

    Args:
        rows: the matches, with the times they started and their scores; at least one.
        year: times of this one are shown without it.
        columns: how wide lines may be, as far as they can be; ``None``: as wide as they are.
    """
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
            "pondered": [row.entrants[seat] for seat in row.pondered],
            "by": row.by if row.counted else f"{row.by}, not counted",
            "repeats": row.repeats,
        }
        for row in rows
    ]
    lines = [{name: x[name] for name in x if name not in left_out} for x in lines]
    return listing(lines, columns, GIVE)


def match_json(row: MatchRow) -> dict[str, object]:
    """Return a match ready for JSON."""
    changed: dict[str, object] = {
        "bots": row.entrants,
        "faults": [
            {"player": seat, "code": code, "bot": row.entrants[seat]} for seat, code in row.faults
        ],
        "imported": None if row.imported is None else row.imported._asdict(),
        "pondered": [row.entrants[seat] for seat in row.pondered],
    }
    if row.repeats:
        changed["repeats"] = row.repeats
    found = {name: getattr(row, name, None) for name in _JSON} | changed
    return found | ({"costs": [each.there for each in row.costs]} if row.costs else {})


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
