"""A leaderboard as text, in every format."""

from __future__ import annotations

from arena.model import Leaderboard, LeaderboardRow
from arena.report.table import Cell, formatted, json_rows

__all__ = ["leaderboard_text"]

_DIGITS = 6
_NAMES = (
    *("rank", "bot", "version", "score", "mu", "sigma", "games", "wins", "draws", "losses"),
    *("mean_rank", "faults", "mean_ms"),
)
# headings for a person, where they differ
_HEADS = {"mean_rank": "mean rank", "mean_ms": "ms/decision"}


def leaderboard_text(board: Leaderboard, style: str = "table", *, times: bool = False) -> str:
    """Return a leaderboard as ``table``, ``json``, ``csv`` or ``md``.

    Numbers have two decimals for people and six for programs. The mean time a decision stands last,
    only where ``times`` asks for it: all else is the same for two runs of one tournament.

    Raises:
        UsageError: there is no such style.
    """
    if style == "json":
        return json_rows(board.tournament, [_json_row(row, times) for row in board.rows])
    names = _NAMES if times else _NAMES[:-1]
    rows = [_cells(row, style)[: len(names)] for row in board.rows]
    heads = names if style == "csv" else [_HEADS.get(name, name) for name in names]
    return formatted(heads, rows, style)


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
    if times:
        written["mean_ms"] = row.mean_ms
    return written


def _cells(row: LeaderboardRow, style: str) -> list[Cell]:
    faults: Cell = row.faults
    if style == "csv":  # one word a fault, so that a program can split it
        faults = " ".join(f"{code}:{count}" for code, count in row.faults.items())
    return [
        *(row.rank, row.bot, row.version, row.score, row.mu, row.sigma),
        *(row.games, row.wins, row.draws, row.losses, row.mean_rank, faults, row.mean_ms),
    ]
