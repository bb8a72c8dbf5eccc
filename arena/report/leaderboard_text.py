"""A leaderboard as text, in every format."""

from __future__ import annotations

from arena.model import Leaderboard, LeaderboardRow
from arena.report.table import Cell, formatted, json_rows, note

__all__ = ["leaderboard_text"]

_DIGITS = 6
_NAMES = (
    *(
        "rank",
        "bot",
        "version",
        "points",
        "reached",
        "score",
        "mu",
        "sigma",
        "games",
        "wins",
        "draws",
        "losses",
    ),
    *("mean_rank", "faults", "mean_ms"),
)
# headings for a person, where they differ
_HEADS = {"mean_rank": "mean rank", "mean_ms": "ms/decision"}


def leaderboard_text(board: Leaderboard, style: str = "table", *, times: bool = False) -> str:
    """Return a leaderboard as ``table``, ``json``, ``csv`` or ``md``.

    Numbers have two decimals for people and six for programs. The mean time a decision stands last,
    only where ``times`` asks for it: all else is the same for two runs of one tournament. Entrants
    that are out are named below the table with the reason, and in ``"out"`` of JSON, which is there
    only if somebody is out; CSV leaves them out. ``points`` and ``reached`` are there only where
    the format of the tournament has them.

    Raises:
        UsageError: there is no such style.
    """
    if style == "json":
        more = {"out": [row._asdict() for row in board.out]} if board.out else {}
        return json_rows(board.tournament, [_json_row(row, times) for row in board.rows], more)
    left_out = set() if times else {"mean_ms"}
    if all(row.points is None for row in board.rows):
        left_out.add("points")
    if not any(row.reached for row in board.rows):
        left_out.add("reached")
    names = [name for name in _NAMES if name not in left_out]
    rows = [[cells[name] for name in names] for cells in (_cells(row, style) for row in board.rows)]
    heads = names if style == "csv" else [_HEADS.get(name, name) for name in names]
    notes = [
        note(f"{row.bot} is {row.reason}; none of its matches counts.", style) for row in board.out
    ]
    return formatted(heads, rows, style) + "".join(notes)


def _json_row(row: LeaderboardRow, times: bool) -> dict[str, object]:
    written: dict[str, object] = {
        "rank": row.rank,
        "bot": row.bot,
        "version": row.version,
        "score": round(row.score, _DIGITS) + 0.0,  # never -0.0
        "mu": round(row.mu, _DIGITS),
        "sigma": round(row.sigma, _DIGITS),
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "faults": dict(row.faults),
        "rating": row.rating,
        "mean_rank": row.mean_rank,
    }
    if row.points is not None:
        written["points"] = round(row.points, _DIGITS)
    if row.reached:
        written["reached"] = row.reached
    if times:
        written["mean_ms"] = row.mean_ms
    return written


def _cells(row: LeaderboardRow, style: str) -> dict[str, Cell]:
    cells: dict[str, Cell] = row._asdict()
    if style == "csv":  # one word a fault, so that a program can split it
        cells["faults"] = " ".join(f"{code}:{count}" for code, count in row.faults.items())
    return cells
