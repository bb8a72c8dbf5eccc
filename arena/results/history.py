"""A bot's matches, one after the other, and what each made of its rating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.ratings.fold import Standings, fold
from arena.results.matches import Listing
from arena.store import Store, open_store
from arena.store.entrants import those_meant
from arena.values.arguments import PathLike, path_of
from arena.values.errors import UsageError, hint
from arena.values.tables import MatchRow, Rating


class HistoryPoint(NamedTuple):
    """One match of a bot: which, from which seat, and its TrueSkill rating afterwards.

    Each tournament starts its ratings from the beginning.
    """

    match: MatchRow
    seat: int
    rating: Rating


def bot_history(home: PathLike, bot: str) -> list[HistoryPoint]:
    """Return a bot's counted matches in all tournaments of a home, oldest tournament first.

    Args:
        home: the arena's home.
        bot: an entrant's name, a bot's name, or ``NAME@VERSION``.

    Raises:
        UsageError: nobody of that name was entered in a tournament.
    """
    with open_store(path_of(home, "home"), create=False) as store:
        found: list[HistoryPoint] = []
        known: set[str] = set()
        entered = False
        for edition in store.tournaments.all():
            entries = store.tournaments.entries(edition.id)
            known |= {entry.name for entry in entries}
            if any(entry.is_meant_by(bot) for entry in entries):
                entered = True
                found += _steps(store, edition.id, those_meant(entries, [bot]))
        if not entered:
            there = hint(bot, sorted(known))
            raise UsageError(f'no bot "{bot}" was entered in a tournament of this home{there}')
        return found


def _steps(store: Store, tournament: int, wanted: set[int]) -> Iterator[HistoryPoint]:
    listing, state = Listing(store), Standings()
    waiting: list[MatchRow] = []  # matches of others, since the last one of theirs
    for row in store.matches.read(tournament):
        if not row.counted:
            continue
        waiting.append(row)
        ours = [seat for seat, entrant in enumerate(row.seats) if entrant in wanted]
        if ours:
            state, waiting = fold(waiting, state), []
        for seat in ours:
            standing = state[row.entrants[seat]]
            yield HistoryPoint(listing.row(row), seat, Rating(standing.mu, standing.sigma))
