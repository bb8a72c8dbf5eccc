"""Which matches may have a public page."""

from __future__ import annotations

from collections.abc import Callable

from arena.progress.planner import known_schedule
from arena.store import Edition, Store
from engines import EngineError, load_game


def may_be_public(store: Store, edition: Edition) -> Callable[[int, str], bool]:
    """Return what says of a match, by its number and game, whether all may see its deal.

    Every pairing meets the same deals. So where hands are hidden, the page of a match would show
    what is hidden in others: it waits until nobody has to meet its deal any more, or until the
    tournament is over. All matches of a deal follow one another in the schedule, whatever the
    format, so one number is the limit: that of the first match of the first deal that is not over.
    """
    if edition.ended is not None:
        return lambda number, game: True
    games = edition.config.get("games", ())
    limit = _first_open_deal(store, edition) if any(map(_hides, games)) else 0
    return lambda number, game: number < limit or not _hides(game)


def _first_open_deal(store: Store, edition: Edition) -> int:
    """Return the number of the first match of the first deal that an entrant has still to meet."""
    schedule = known_schedule(store, edition)
    if schedule is None:
        return 0  # the format or a game is not here any more
    if edition.config["setups"] is not None:
        return 0  # those of a file begin again after the last one
    settled = store.matches.settled(edition.id)
    out = {entry.name for entry in store.tournaments.entries(edition.id) if entry.is_out}
    number = settled.advance()
    while number < len(schedule) and not out.isdisjoint(schedule[number].seats):
        settled.add(number)  # it is never played
        number = settled.advance()
    return schedule.first_of_deal(number) if number < len(schedule) else number


def _hides(game: str) -> bool:
    """Return whether a game hides anything from its players, as far as is known here."""
    try:
        return load_game(game).type.information == "imperfect"
    except EngineError:
        return True
