"""Which matches are there, as far as indexes say: the newest, and the one of an id."""

from __future__ import annotations

from arena.store.sqlite import Database

__all__ = ["number_of", "read_arrivals"]


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


def number_of(database: Database, tournament: int, match: str) -> int | None:
    """Return the number of the match of an id, if a tournament has it; nothing is checked.

    What else looks for an id makes sure that none was lost, which takes 2 s a GB.
    """
    sql = "SELECT number FROM record WHERE id = ? AND tournament = ?"
    row = database.row(sql, (match, tournament))
    return None if row is None else int(row[0])
