"""Whose the submitted bots are, as the organiser's list says: it never leaves the home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arena.database.sqlite import Database

__all__ = ["NOBODY", "People", "Author"]


class Author(NamedTuple):
    """Who handed in a bot, and the group that the person is in; empty where that is not known."""

    name: str = ""
    group: str = ""


NOBODY = Author()


class People:
    """What the store knows of the people behind submitted bots."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, Author]:
        """Return who handed in each bot, by the bot's name without a version."""
        rows = self._database.rows("SELECT bot, person, team FROM people ORDER BY bot")
        return {bot: Author(person, team or "") for bot, person, team in rows}

    def put(self, people: Mapping[str, Author]) -> None:
        """Keep who handed in some bots; what is known of these bots is replaced."""
        with self._database.writing() as execute:
            for bot, person in people.items():
                execute(
                    "INSERT INTO people (bot, person, team) VALUES (?, ?, ?) ON CONFLICT (bot)"
                    " DO UPDATE SET person = excluded.person, team = excluded.team",
                    (bot, person.name, person.group or None),
                )
