"""A tournament ended before all of it was played: what counts of it then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.progress.planner import known_schedule
from arena.progress.stop_rule import comparison_of
from arena.progress.suspensions import Suspensions
from arena.store import Edition, Store
from arena.store.waiting import patiently
from arena.tournament.change import CLOSED
from arena.values.errors import UsageError


def close(store: Store, edition: Edition, at: str | None = None) -> Edition:
    """End an edition where it is, and return it; no runner may be at it.

    Counted are the blocks before the first one that lacks a match. Undecided matches, and those of
    who is out, are not lacking. ``at`` is when it was ended, if that was in another home.

    Raises:
        UsageError: its format or a game is not here.
    """
    schedule = known_schedule(store, edition)
    if schedule is None:
        raise UsageError(f'"{edition.label}" cannot be ended here: it was run by another arena')
    settled = store.matches.settled(edition.id, undecided=True)
    Suspensions(store, edition).advance(settled, schedule)
    test = comparison_of(store, edition, decides=True)
    if test is not None:
        test.count(settled.prefix)
    stop = min(settled.prefix, len(schedule))
    if stop < len(schedule):
        block = schedule[stop].block
        while stop and schedule[stop - 1].block == block:
            stop -= 1
    early = store.tournaments.get(edition.id).stop  # that a killed run may not have stored
    if early is not None:
        stop = min(stop, early)
    config = {**edition.config, CLOSED: True}
    patiently(f'"{edition.label}"', store.tournaments.close, edition.id, config, stop, at)
    return store.tournaments.get(edition.id)


def reopened(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an edition was run from, as that is while nobody has ended it."""
    return {key: value for key, value in config.items() if key != CLOSED}
