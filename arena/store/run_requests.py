"""What other processes ask of a run that goes on, and what it answers."""

from __future__ import annotations

import json
from typing import NamedTuple

from arena.database.sqlite import Database

GONE = "gone"  # the answer of a run that has not seen the request


class RunRequest(NamedTuple):
    """What is asked of a run: to read its file again.

    Attributes:
        file: its absolute path.
        extend, upgrade, as_of: as for ``RunOptions``.
    """

    file: str
    extend: bool = False
    upgrade: tuple[str, ...] = ()
    as_of: str | None = None


class RunRequests:
    """Requests to runs, by the names of their tournaments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, tournament: str, request: RunRequest) -> int:
        """Ask a run for something; return the number of the request."""
        with self._database.writing() as execute:
            sql = "INSERT INTO asked (tournament, request) VALUES (?, ?)"
            number = execute(sql, (tournament, json.dumps(request))).lastrowid
        assert number is not None
        return number

    def next(self, tournament: str) -> tuple[int, RunRequest] | None:
        """Return the first request that was not answered, with its number."""

        def read(row: tuple[int, str]) -> tuple[int, RunRequest]:
            file, extend, upgrade, as_of = json.loads(row[1])
            return row[0], RunRequest(file, extend, tuple(upgrade), as_of)

        sql = "SELECT id, request FROM asked WHERE tournament = ? AND answer IS NULL ORDER BY id"
        return next(self._database.read(read, sql, (tournament,)), None)

    def answer(self, number: int, answer: str) -> None:
        """Answer a request."""
        with self._database.writing() as execute:
            execute("UPDATE asked SET answer = ? WHERE id = ?", (answer, number))

    def answered(self, number: int) -> str | None:
        """Return the answer to a request, if there is one."""
        row = self._database.row("SELECT answer FROM asked WHERE id = ?", (number,))
        return None if row is None else row[0]

    def clear(self, tournament: str) -> None:
        """Answer ``GONE`` to what a run was asked that ended before: who is there asks again."""
        if self.next(tournament) is not None:
            with self._database.writing() as execute:
                sql = "UPDATE asked SET answer = ? WHERE tournament = ? AND answer IS NULL"
                execute(sql, (GONE, tournament))

    def forget(self, number: int) -> None:
        """Take back a request."""
        with self._database.writing() as execute:
            execute("DELETE FROM asked WHERE id = ?", (number,))
