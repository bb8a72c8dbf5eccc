"""Which bots failed to start, match by match: what suspensions are decided from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.database.sqlite import Database
from arena.store.match_rows import read_rows

__all__ = ["Start", "Starts"]

_MANY = 1 << 62
_CODE = "startup"


class Start(NamedTuple):
    """How a match began: its entrants by seat, and the seats of those that failed to start."""

    number: int
    id: str
    entrants: tuple[str, ...]
    failed: tuple[int, ...]


class Starts:
    """The starts of all matches; ``tournament`` is ``Edition.id``.

    Names are read once, and again when there is a new entrant: a run asks after every few matches.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names: dict[int, dict[int, str]] = {}  # of entrants, by tournament and number

    def read(self, tournament: int, first: int, end: int = _MANY) -> Iterator[Start]:
        """Yield the starts of the matches from one number on to before another.

        Raises:
            StoreError: a match is damaged.
        """
        for row in read_rows(self._database, tournament, first, ids=True):
            if row.number >= end:
                return
            failed = tuple([seat for seat, code in row.faults if code == _CODE])
            yield Start(row.number, row.id, self._called(tournament, row.entrants), failed)

    def failed(self, tournament: int) -> list[int]:
        """Return the numbers of matches in which a bot failed to start, in ascending order.

        It reads every match, 0.2 s for a million.
        """
        rows = self._database.rows(
            f"SELECT number FROM match WHERE tournament = ? AND faults LIKE '%:{_CODE}%'"
            " ORDER BY number",
            (tournament,),
        )
        return [number for (number,) in rows]

    def _called(self, tournament: int, entrants: tuple[int, ...]) -> tuple[str, ...]:
        names = self._names.get(tournament, {})
        if not names.keys() >= set(entrants):
            sql = "SELECT id, name FROM entrant WHERE tournament = ?"
            names = self._names[tournament] = dict(self._database.rows(sql, (tournament,)))
        return tuple([names[entrant] for entrant in entrants])
