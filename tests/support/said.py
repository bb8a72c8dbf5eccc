"""What bots said in a match, as one text."""

from __future__ import annotations

from arena.values.model import MatchResult


def log_of(result: MatchResult, seat: int) -> str:
    """Return what the bot of a seat wrote to stderr and by ``log``, with remarks of the referee."""
    return b"".join([piece.data for piece in result.said[seat]]).decode("utf-8", "backslashreplace")
