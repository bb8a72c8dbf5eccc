"""Rounds that were planned: written once, in one transaction, before a match of theirs is played.

Plans and points are texts of ``arena.schedule.plan``; here they are kept, not understood.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from arena.database.sqlite import Database
from arena.machine.crash import cross
from arena.store.entrants import take_up

if TYPE_CHECKING:
    from arena.values.model import Entrant


class StoredRound(NamedTuple):
    """A round; ``points`` are empty until it was over."""

    plan: str
    points: str


class Rounds:
    """The rounds of adaptive formats; ``tournament`` is ``Edition.id``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, tournament: int) -> list[StoredRound]:
        """Return the rounds that were planned, the first one first."""
        sql = "SELECT plan, points FROM round WHERE tournament = ? ORDER BY number"
        return [*self._database.read(StoredRound._make, sql, (tournament,))]

    def any(self, tournament: int) -> bool:
        """Return whether any round was planned."""
        row = self._database.row("SELECT 1 FROM round WHERE tournament = ? LIMIT 1", (tournament,))
        return row is not None

    def is_over(self, tournament: int) -> bool:
        """Return whether what the last round brought is known, and none was planned since."""
        sql = "SELECT points FROM round WHERE tournament = ? ORDER BY number DESC LIMIT 1"
        return self._database.row(sql, (tournament,)) not in (None, ("",))

    def go_on(
        self,
        tournament: int,
        points: str,
        plan: str | None,
        newer: Iterable[tuple[str, Entrant]] = (),
    ) -> None:
        """Write what the last round brought, and plan the one after it: all of it, or nothing.

        A tournament that has another round to play has not ended.

        Args:
            tournament: which.
            points: what the last round brought; nothing is written before the first.
            plan: the next round, if there is one. Once it is there, the points before it stay.
            newer: the versions that this round takes up, each with the name of the file's entrant
                whose place it takes.
        """
        with self._database.writing() as execute:
            (count,) = execute(
                "SELECT count(*) FROM round WHERE tournament = ?", (tournament,)
            ).fetchone()
            execute(
                "UPDATE round SET points = ? WHERE tournament = ? AND number = ?",
                (points, tournament, count - 1),
            )
            if plan is not None:
                execute(
                    "INSERT INTO round (tournament, number, plan, points) VALUES (?, ?, ?, '')",
                    (tournament, count, plan),
                )
                execute("UPDATE tournament SET ended = NULL WHERE id = ?", (tournament,))
                take_up(execute, tournament, newer)
            cross("round", round=count)
