"""Matches in the order in which they were stored, the newest first."""

from __future__ import annotations

from arena.store.sqlite import Database

__all__ = ["is_match_of", "read_arrivals"]


def read_arrivals(database: Database, tournament: int, limit: int) -> list[tuple[int, int]]:
    """Return of the matches that were stored last when, and their numbers in the schedule.

    Args:
        database: the store.
        tournament: ``Edition.id``.
        limit: how many at most.
    """
    rows = database.rows(
        "SELECT seq, number FROM record WHERE tournament = ? ORDER BY seq DESC LIMIT ?",
        (tournament, limit),
    )
    return [(seq, number) for seq, number in rows]


def is_match_of(database: Database, tournament: int, match: str) -> bool:
    """Return whether a tournament has a match of this id; for one that has not nothing is checked.

    What else looks for an id makes sure that none was lost, which takes 2 s a GB.
    """
    sql = "SELECT 1 FROM record WHERE id = ? AND tournament = ?"
    return database.row(sql, (match, tournament)) is not None
