"""Which matches are there, as far as indexes say: the newest, those of half-played blocks."""

from __future__ import annotations

from arena.store.sqlite import Database

__all__ = ["is_match_of", "read_arrivals", "read_half_played"]


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


def read_half_played(database: Database, tournament: int) -> frozenset[str]:
    """Return the ids of the matches whose blocks lack a match: one deal, not yet in all seatings.

    A block has as many matches as entrants.
    """
    rows = database.rows(
        "SELECT record.id FROM match JOIN record ON record.seq = match.record"
        " WHERE match.tournament = ? AND match.block IN"
        " (SELECT block FROM match WHERE tournament = ? GROUP BY block HAVING"
        "  count(*) <= max(length(entrants) - length(replace(entrants, ',', ''))))",
        (tournament, tournament),
    )
    return frozenset([match for (match,) in rows])
