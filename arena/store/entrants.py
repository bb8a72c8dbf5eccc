"""The entrants of each tournament: entered in one way, read by one query."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.database.schema import NOT_REMOVED
from arena.database.sqlite import Database, Execute
from arena.store.dictionaries import renew_dictionary
from arena.values.errors import StoreError, UsageError, hint

if TYPE_CHECKING:
    from arena.values.model import Entrant


class Entry(NamedTuple):
    """An entrant as the store knows it; ``tournament`` is ``Edition.id``.

    ``state`` says why it is suspended, if it is. ``out``: the tournament's file took it out when
    it was run last. ``line``: the entrant of the file that this is another version of; none for
    those of the file. ``replaced``: since when another version plays in its place, and counts
    alone; a ladder's older versions rest, and count.
    """

    id: int
    tournament: int
    name: str
    bot: str
    version: int
    hash: str
    args: tuple[str, ...]
    position: int
    state: str
    out: bool
    line: str
    replaced: str = ""

    @property
    def is_out(self) -> bool:
        """Whether it is taken out, suspended or replaced, so that none of its matches count."""
        return self.out or self.state != "" or self.replaced != ""

    @property
    def called(self) -> str:
        """``NAME@VERSION`` of it."""
        return f"{self.name}@{self.version}"

    def is_meant_by(self, bot: str) -> bool:
        """Return whether a text is its name, its bot's, or either with ``@VERSION``."""
        return bot in (self.name, self.called, self.bot, f"{self.bot}@{self.version}")


def program_called(bot: str, version: int) -> str:
    """Return what people call a program."""
    return f"{bot}@{version}" if version else "the program given for it"


def those_meant(entries: Collection[Entry], bots: Iterable[str], where: str = "") -> set[int]:
    """Return the ids of the entrants that a person means by ``bots``.

    In a tournament with an entrant of exactly that name it is this one, and else all with that bot.

    Raises:
        UsageError: there is none; ``where`` is as for ``check_entered``.
    """
    entries, found = plainly_named(entries), set[int]()
    for bot in bots:
        named = {entry.tournament for entry in entries if entry.name == bot}
        meant = [
            entry
            for entry in entries
            if (entry.name == bot if entry.tournament in named else entry.is_meant_by(bot))
        ]
        if not meant:
            check_entered(entries, bot, where)
        found.update([entry.id for entry in meant])
    return found


def check_entered(entries: Collection[Entry], bot: str, where: str = "") -> None:
    """Raise ``UsageError`` if no entrant has a name, or ``NAME@VERSION``.

    Args:
        entries: the entrants.
        bot: what is looked for.
        where: in which tournament, with " in " before it.
    """
    entries = plainly_named(entries)
    if any(bot in (entry.name, entry.called) for entry in entries):
        return
    there = sorted({entry.called for entry in entries if entry.name == bot.rpartition("@")[0]})
    more = f": there is {' and '.join(there)}" if there else ""
    names = sorted({entry.name for entry in entries})
    raise UsageError(f'no bot "{bot}" is entered{where}{more or hint(bot, names)}')


def read_entries(database: Database, tournament: int | None = None) -> list[Entry]:
    """Return the entrants, in the order of the file; all tournaments' one after the other."""
    sql = (
        f"SELECT {', '.join(Entry._fields)} FROM entrant"
        f" WHERE {_OF_SCOPE} ORDER BY tournament, position, id"
    )
    entries = [*database.read(_entry, sql, (tournament, tournament))]
    if replaced := [entry for entry in entries if entry.replaced]:
        plays = {(each.tournament, each.line or each.name) for each in entries if not each.replaced}
        for each in replaced:
            if (each.tournament, each.line or each.name) not in plays:
                raise database.damaged(f"nobody plays in place of entrant {each.name!a}")
    return entries


def _entry(row: tuple[Any, ...]) -> Entry:
    *head, args, position, state, out, line, replaced = row
    return Entry._make((*head, tuple(json.loads(args)), position, state, bool(out), line, replaced))


def plainly_named(entries: Iterable[Entry]) -> list[Entry]:
    """Return entrants as tables name them: a version that replaced another as its line is."""
    entries = list(entries)
    lines = {(each.tournament, each.line or each.name) for each in entries if each.replaced}
    return [
        each._replace(name=each.line) if (each.tournament, each.line) in lines else each
        for each in entries
    ]


# one tournament, or all that are not being removed
_OF_SCOPE = (
    "(tournament = ? OR ? IS NULL"
    f" AND tournament IN (SELECT id FROM tournament WHERE {NOT_REMOVED}))"
)


def enter(execute: Execute, tournament: int, entries: Iterable[Entry]) -> None:
    """Enter those that are not entered yet; the others stay, in the order that is given.

    The numbers of ``entries`` do not matter.

    Raises:
        StoreError: an entrant is entered already, with another bot.
    """
    for entry in entries:
        name, args = entry.name, json.dumps(entry.args)
        found = execute(
            "SELECT version, hash, args FROM entrant WHERE tournament = ? AND name = ?",
            (tournament, name),
        ).fetchone()
        if found is None:
            execute(
                "INSERT INTO entrant"
                " (tournament, name, bot, version, hash, args, position, out, line, replaced)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    tournament, *entry[2:6], args, entry.position,
                    entry.out, entry.line, entry.replaced,
                ),
            )  # fmt: skip
        elif found != (entry.version, entry.hash, args):
            raise StoreError(
                f'"{name}" is entered already, as version {found[0]} ({found[1]}, args {found[2]}),'
                f" and now is version {entry.version} ({entry.hash}, args {args})"
            )
        else:
            execute(
                "UPDATE entrant SET position = ? WHERE tournament = ? AND (name = ? OR line = ?)",
                (entry.position, tournament, name, name),
            )
    renew_dictionary(execute, tournament)


def take_up(execute: Execute, tournament: int, newer: Iterable[tuple[str, Entrant]]) -> None:
    """Enter other versions, each with the name of the file's entrant whose place it takes."""
    rows = execute("SELECT name, position FROM entrant WHERE tournament = ?", (tournament,))
    places = dict(rows.fetchall())
    enter(execute, tournament, [as_entered(each, places[line], line) for line, each in newer])


def edition_label(name: str, edition: int) -> str:
    """Return what an edition is called: ``name``, or ``name#2`` from the second one on."""
    return name if edition == 1 else f"{name}#{edition}"


def label_of(database: Database, tournament: int) -> str:
    """Return what the edition of a number is called, also if the store has lost it."""
    row = database.row("SELECT name, edition FROM tournament WHERE id = ?", (tournament,))
    return f"tournament {tournament}" if row is None else edition_label(*row)


def as_entered(entrant: Entrant, position: int, line: str = "") -> Entry:
    """Return an entrant of a file as it is entered; ``line`` as that of ``Entry``."""
    bot = entrant.bot
    of_bot = bot.name, bot.version, bot.hash
    return Entry(0, 0, entrant.name, *of_bot, entrant.args, position, "", False, line)
