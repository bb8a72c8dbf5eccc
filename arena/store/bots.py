"""Submitted bots in the store: one row a version, never changed but to retire or restore it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.database.sqlite import Database
from arena.machine.crash import cross
from arena.store.tournaments import now
from arena.values.errors import BotRetired, StoreError, UsageError, near_miss

if TYPE_CHECKING:
    from arena.values.model import Bot

MOST_IMPORTED = 9999  # the highest version: who makes a bundle chooses it, and ours come after it


class BotVersion(NamedTuple):
    """One submitted version of a bot; ``games`` are those it says it plays, () for any."""

    name: str
    version: int
    hash: str
    language: str
    games: tuple[str, ...]
    retired: bool
    created: str


class ImportedVersion(NamedTuple):
    """A version of a bot that is entered in a tournament from a bundle, the file ``bundle``."""

    name: str
    version: int
    hash: str
    bundle: str


class Bots:
    """What the store knows of submitted bots."""

    def __init__(
        self, database: Database, until: str = "", but: Collection[str] = frozenset()
    ) -> None:
        """Take those of a store.

        What was submitted after ``until`` (UTC; empty: any time), or has one of the names ``but``,
        counts as retired.
        """
        self._database, self._until, self._but = database, until, but

    def some(self, until: str, but: Collection[str]) -> Bots:
        """Return some of the bots; the others count as retired."""
        return Bots(self._database, until, but)

    def all(self) -> list[BotVersion]:
        """Return every version of every bot, by name and version."""
        return [*self._database.read(self._read, f"{_SELECT} ORDER BY name, version")]

    def versions(self, name: str) -> list[BotVersion]:
        """Return the versions of a name, oldest first; empty if there are none."""
        sql = f"{_SELECT} WHERE name = ? ORDER BY version"
        return [*self._database.read(self._read, sql, (name,))]

    def imported(self) -> list[ImportedVersion]:
        """Return what bundles brought under names that nobody has submitted, by name and version.

        One program is there once, with the bundle that came first. Two bundles may bring two
        programs as one version.
        """
        rows = self._database.rows(
            "SELECT bot, version, hash, file, min(first)"
            " FROM entrant JOIN carried USING (tournament)"
            f" WHERE version BETWEEN 1 AND {MOST_IMPORTED} AND bot NOT IN (SELECT name FROM bot)"
            " GROUP BY bot, version, hash ORDER BY bot, version, hash"
        )
        return [ImportedVersion(*row[:4]) for row in rows]

    def named(self) -> frozenset[str]:
        """Return the hashes of all bots that are submitted, or entered in a tournament."""
        rows = self._database.rows("SELECT hash FROM bot UNION SELECT hash FROM entrant")
        return frozenset(digest for (digest,) in rows)

    def version_for(self, name: str, digest: str) -> int:
        """Return the version that content has under a name, or would have if it is new.

        What is entered in a tournament under a name that nobody has submitted, from a bundle or as
        a bot that was forgotten, keeps its number when it is submitted, and other content gets a
        higher one.
        """
        came = dict(
            self._database.rows(
                "SELECT version, min(hash) FROM entrant WHERE bot = ?"
                f" AND version BETWEEN 1 AND {MOST_IMPORTED} AND bot NOT IN (SELECT name FROM bot)"
                " GROUP BY version",
                (name,),
            )
        )
        same = [version for version, of_it in came.items() if of_it == digest]
        (version,) = self._database.row(
            "SELECT coalesce((SELECT version FROM bot WHERE name = ? AND hash = ?), ?,"
            " (SELECT max(coalesce(max(version), 0), ?) + 1 FROM bot WHERE name = ?))",
            (name, digest, min(same, default=None), max(came, default=0), name),
        )
        return int(version)

    def add(self, bot: Bot) -> BotVersion:
        """Enter a version of a bot, under the number that ``version_for`` gave.

        Content that is there already stays as it is, retired or not.

        Raises:
            BotRetired: the name was retired, maybe meanwhile.
            StoreError: that number was given to other content meanwhile, or it cannot be written.
        """
        with self._database.writing() as execute:
            self.check_open(bot.name)
            execute(
                "INSERT INTO bot (name, version, hash, start, folder, language, games, created)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (
                    bot.name, bot.version, bot.hash, json.dumps(bot.start),
                    bot.folder, bot.language, json.dumps(bot.games), now(),
                ),
            )  # fmt: skip
            row = execute(f"{_SELECT} WHERE name = ? AND hash = ?", (bot.name, bot.hash)).fetchone()
            if row is None:
                raise StoreError(
                    f'another "{bot.name}" was submitted at the same moment: submit it again'
                )
        return self._read(row)

    def check_open(self, name: str) -> None:
        """Raise ``BotRetired`` if a name is retired as a whole, so that nothing is taken under it.

        A name of which every version was retired by itself is open.
        """
        (most,) = self._database.row("SELECT max(retired) FROM bot WHERE name = ?", (name,))
        if most == _WITH_ITS_NAME:
            raise BotRetired(
                f'"{name}" is retired, and nothing is taken under that name until '
                f"arena bots restore {name}",
                name,
            )

    def versions_there(self, name: str) -> tuple[int, ...]:
        """Return the numbers of a bot's versions, submitted or imported.

        Raises:
            UsageError: there is no such bot.
        """
        found = {bot.version for bot in self.versions(name)}
        found |= {bot.version for bot in self.imported() if bot.name == name}
        if not found:
            raise self._nobody(name)
        return tuple(sorted(found))

    def only_of(self, name: str) -> list[str]:
        """Return the hashes of a bot's versions that no other bot and entrant has as well."""
        rows = self._database.rows(
            "SELECT hash FROM bot WHERE name = ? UNION"
            " SELECT hash FROM entrant WHERE bot = ? AND version > 0 EXCEPT"
            " SELECT hash FROM bot WHERE name <> ? EXCEPT"
            " SELECT hash FROM entrant WHERE bot <> ? OR version = 0",
            (name,) * 4,
        )
        return [digest for (digest,) in rows]

    def remove(self, name: str) -> None:
        """Remove all versions of a bot, whose they were, and why programs were refused."""
        with self._database.writing() as execute:
            execute("DELETE FROM bot WHERE name = ?", (name,))
            execute("DELETE FROM people WHERE bot = ?", (name,))
            execute("DELETE FROM tried")  # of all bots, as nobody's name stands there
            cross("forget", bot=name)

    def _nobody(self, name: str) -> UsageError:
        names = sorted({bot.name for bot in self.all()})
        return UsageError(f'no bot "{name}" was submitted{near_miss(name, names)}')

    def set_retired(self, name: str, version: int | None = None, *, retired: bool) -> list[int]:
        """Retire one version of a bot, or its name with all of them, or undo that.

        A version that is restored opens its name again; the others stay retired by themselves.

        Returns:
            The versions that play no more, or again.

        Raises:
            UsageError: there is no such bot or version.
        """
        versions = self.versions(name)
        if not versions:
            raise self._nobody(name)
        known = [bot.version for bot in versions]
        if version is not None and version not in known:
            raise UsageError(f'"{name}" has no version {version}: there are {known}')
        chosen = [
            bot.version
            for bot in versions
            if bot.retired != retired and version in (None, bot.version)
        ]
        state = 0 if not retired else _WITH_ITS_NAME if version is None else _BY_ITSELF
        with self._database.writing() as execute:
            if version is None:
                execute("UPDATE bot SET retired = ? WHERE name = ?", (state, name))
            elif chosen:
                others = "UPDATE bot SET retired = min(retired, ?) WHERE name = ?"
                execute(others, (_BY_ITSELF, name))
                one = "UPDATE bot SET retired = ? WHERE name = ? AND version = ?"
                execute(one, (state, name, version))
        return chosen

    def _read(self, row: tuple[Any, ...]) -> BotVersion:
        *head, games, retired, created = row
        late = bool(self._until) and created > self._until
        gone = bool(retired) or late or head[0] in self._but
        return BotVersion._make((*head, tuple(json.loads(games)), gone, created))


# what stands in the column `retired`, beside 0
_BY_ITSELF, _WITH_ITS_NAME = 1, 2
_SELECT = f"SELECT {', '.join(BotVersion._fields)} FROM bot"
