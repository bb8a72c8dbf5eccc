"""How much of a tournament was played: which matches are missing, undecided, or of who is out."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from arena.progress.planner import known_schedule
from arena.store import Edition, Store, open_store
from arena.values.arguments import PathLike, path_of
from arena.values.untrusted import show
from arena.values.words import count

SHOWN = 5  # names in one line


class Extent(NamedTuple):
    """How much of a tournament was played.

    Attributes:
        tournament: the edition's label.
        matches: how many were played.
        of: how many its schedule has, as far as it is planned, those of who is out among them;
            ``None`` where results decide that, or it is not known here.
        undecided: how many were given up, for no fault of a bot.
        out: the entrants that were taken out, or replaced by another version.
    """

    tournament: str
    matches: int
    of: int | None
    undecided: int
    out: tuple[str, ...]


def extent_of(store: Store, edition: Edition) -> Extent:
    """Return how much of an edition was played."""
    schedule = known_schedule(store, edition)
    of = None if edition.is_closed else edition.stop
    if of is None and schedule is not None:
        sprt = (edition.config.get("stop") or {}).get("sprt")
        of = len(schedule) if sprt is None else None
    entries = store.tournaments.entries(edition.id)
    return Extent(
        edition.label,
        store.matches.count(edition.id),
        of,
        len(store.matches.undecided(edition.id)),
        tuple([entry.name for entry in entries if entry.out or entry.replaced]),
    )


def read_extents(home: PathLike) -> list[Extent]:
    """Return how much was played of each tournament of a home that is not damaged.

    Raises:
        StoreError: the store cannot be read.
    """
    with open_store(path_of(home, "home"), create=False) as store:
        return [extent_of(store, edition) for edition in store.tournaments.all()]


def extent_text(extent: Extent) -> str:
    """Return what is missing, such as ``48 of 72 matches, 24 undecided``; nothing if nothing is.

    >>> extent_text(Extent("cup", 48, 72, 24, ("oak",)))
    '48 of 72 matches, 24 undecided, 1 entrant taken out: oak'
    """
    parts = []
    if extent.of is not None and extent.matches < extent.of:
        parts.append(f"{extent.matches} of {count(extent.of, 'match')}")
    if extent.undecided:
        parts.append(f"{extent.undecided} undecided")
    if extent.out:
        names = ", ".join([show(name, 60) for name in extent.out[:SHOWN]])
        more = f" and {len(extent.out) - SHOWN} more" if len(extent.out) > SHOWN else ""
        parts.append(f"{count(len(extent.out), 'entrant')} taken out: {names}{more}")
    return ", ".join(parts)


def undecided_by_entrant(
    store: Store, edition: Edition, game: str | None = None
) -> tuple[tuple[str, int], ...]:
    """Return how many matches of each entrant are undecided, the most first; none of who is out.

    Args:
        store: where it is.
        edition: it.
        game: count those of this game only.
    """
    undecided = store.matches.undecided(edition.id)
    schedule = known_schedule(store, edition) if undecided else None
    if not schedule:
        return ()
    out = {entry.name for entry in store.tournaments.entries(edition.id) if entry.is_out}
    end = len(schedule) if edition.stop is None else min(len(schedule), edition.stop)
    found: Counter[str] = Counter()
    for each in undecided:
        if each.number < end:
            match = schedule[each.number]
            if game in (None, match.game) and out.isdisjoint(match.seats):
                found.update(match.seats)
    return tuple(sorted(found.items(), key=lambda one: (-one[1], one[0])))
