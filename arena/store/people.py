"""Whose bot is whose, which only the organiser is shown, and what a submission was refused for.

None of this is in a record, an export, a bundle or a public page.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.database.sqlite import Database
from arena.store.tournaments import now


class Person(NamedTuple):
    """Who handed in a bot.

    Attributes:
        bot: the submitted bot's name, without a version.
        person: the person's name, '' if it is not known.
        team: the group, '' for none; in files it is called ``group``.
        origin: what the hand-in was recognized by, such as ``moodle 4711``.
    """

    bot: str
    person: str
    team: str = ""
    origin: str = ""


class Tried(NamedTuple):
    """What came of a program that was tried; ``message`` is '' if it passed."""

    message: str
    reason: str
    at: str


class People:
    """What the store knows of those who handed in bots, and of what was tried."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, Person]:
        """Return who handed in which bot, by the bot's name, sorted."""
        sql = f"SELECT {', '.join(Person._fields)} FROM people ORDER BY bot"
        return {one.bot: one for one in self._database.read(Person._make, sql)}

    def set(self, person: Person) -> None:
        """Write down whose a bot is, in place of what was known of it.

        Raises:
            StoreError: it cannot be written.
        """
        with self._database.writing() as execute:
            execute("INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)", person)

    def tried(self, key: str) -> Tried | None:
        """Return what came of a program with some settings, whose hash is the key."""
        sql = f"SELECT {', '.join(Tried._fields)} FROM tried WHERE key = ?"
        return next(iter(self._database.read(Tried._make, sql, (key,))), None)

    def note_tried(self, key: str, message: str, reason: str) -> None:
        """Keep what came of a program with some settings; ``StoreError`` as for ``set``."""
        with self._database.writing() as execute:
            execute(
                "INSERT OR REPLACE INTO tried VALUES (?, ?, ?, ?)", (key, message, reason, now())
            )
