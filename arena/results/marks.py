"""Marks of a tournament: the result of each entrant, with its author, for the organiser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.results.standings import board_of, check_home, choose
from arena.store import Store, open_home
from arena.store.entrants import Entry, plainly_named
from arena.store.people import Person
from arena.values.arguments import PathLike

NOBODY = Person("", "")


class Mark(NamedTuple):
    """What an entrant achieved, and whose it is.

    Attributes:
        name: of the entrant, as the tournament's file has it.
        person: whose it is; empty if that is not known.
        group: of the person.
        version: the bot's; ``None``: nothing was entered.
        rank: in the leaderboard; ``None``: it is out.
        elo: by the order-free rating; ``None``: it has none.
        low: the lower end of the 95 % interval; ``None``: nothing bounds it.
        high: the upper end.
        games: that count.
        faults: all of those games together.
        out: why none of its matches count, if they do not.
    """

    name: str
    person: str
    group: str
    version: int | None = None
    rank: int | None = None
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    games: int = 0
    faults: int = 0
    out: str = ""


def read_marks(
    home: PathLike, tournament: str | None = None, *, anchor: Mapping[str, float] | None = None
) -> list[Mark]:
    """Return a mark for each entrant of a tournament's file, in the order of the leaderboard.

    Of a bot that was replaced by a newer version it is that of the newer one.

    >>> [(mark.name, mark.rank) for mark in arena.read_marks(".arena", "quickstart")][:2]
    [('greedy', 1), ('random-sh', 2)]

    Args:
        home: the arena's home.
        tournament: ``NAME``, ``NAME#2``, or the one run last.
        anchor: the bot whose Elo is fixed; left out, that of the tournament's file.

    Raises:
        UsageError: there is no such tournament or bot.
        StoreError: the store cannot be read.
    """
    with open_home(check_home(home, tournament, None)) as store:
        edition = choose(store, tournament)
        entered = plainly_named(store.tournaments.entries(edition.id))
        board = board_of(store, edition.label, anchor=anchor)
        people = whose(store, entered)
    entries = {(entry.name, entry.version): entry for entry in entered}
    found: dict[str, Mark] = {}  # the last one of a line: who is out, who was replaced, who plays
    for out in board.out:
        entry = entries[out.bot, out.version]
        line, author = entry.line or entry.name, people.get(entry.id, NOBODY)
        found[line] = Mark(line, author.person, author.team, out.version, out=out.reason)
    for row in sorted(board.rows, key=lambda row: not row.replaced_by):
        entry = entries[row.bot, row.version]
        line, author = entry.line or entry.name, people.get(entry.id, NOBODY)
        found[line] = Mark(
            name=line,
            person=author.person,
            group=author.team,
            version=row.version,
            rank=row.rank,
            elo=_rounded(row.score),
            low=_rounded(row.low),
            high=_rounded(row.high),
            games=row.games,
            faults=sum(row.faults.values()),
        )
    return sorted(found.values(), key=lambda mark: (mark.rank is None, mark.rank or 0))


def whose(store: Store, entries: Iterable[Entry]) -> dict[int, Person]:
    """Return by ``Entry.id`` whose entrants are, as far as is known.

    Somebody else's bundle may have bots of the same names: a person is that of a program which was
    submitted here.
    """
    people = store.people.all()
    here = {(bot.name, bot.hash) for bot in store.bots.all()}
    return {
        entry.id: people[entry.bot]
        for entry in entries
        if entry.bot in people and (entry.bot, entry.hash) in here
    }


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 1)
