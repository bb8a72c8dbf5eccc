"""What was counted has changed: the kept folds over it are forgotten, and no old one is kept late.

Stored matches are only ever added, but for a few occasions: a tournament is extended or stopped,
a forfeit takes the place of a match that was played, or gives way to it. A table that somebody is
making just then, from what was there before, must not be kept; so each tournament counts its
revisions.
"""

from __future__ import annotations

from arena.store.sqlite import Execute

__all__ = ["REVISION", "revise", "revise_all"]

# of a tournament, or of all (NULL): grows with every revision; takes the tournament twice
REVISION = "SELECT coalesce(sum(revised), 0) FROM tournament WHERE ? IS NULL OR id = ?"


def revise(execute: Execute, tournament: int, first: int = 0) -> None:
    """Forget folds that hold a match from number ``first`` on; to be done where it changes."""
    execute("UPDATE tournament SET revised = revised + 1 WHERE id = ?", (tournament,))
    execute(
        "DELETE FROM fold WHERE (tournament = ? OR tournament = 0)"
        " AND (last_tournament, last_number) >= (?, ?)",
        (tournament, tournament, first),
    )


def revise_all(execute: Execute) -> None:
    """Forget all folds: a record was removed, and what a fold has seen may get another meaning."""
    execute("UPDATE tournament SET revised = revised + 1")
    execute("DELETE FROM fold")
