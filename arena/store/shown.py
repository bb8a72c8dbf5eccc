"""Records as they are shown: without the deal's seed while their tournament is unfinished."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from arena.match.record import without_seed
from arena.store.store import Store

__all__ = ["shown_texts", "unfinished"]


def shown_texts(store: Store, tournament: int | None = None) -> Generator[str, None, None]:
    """Yield the texts of the counted records in schedule order, as they may be shown.

    Args:
        store: where they are.
        tournament: which; ``None``: all, one after the other.
    """
    for edition in store.tournaments.all():
        if tournament in (None, edition.id):
            with closing(store.matches.texts(edition.id)) as texts:
                for text in texts:
                    yield text if edition.ended is not None else without_seed(text)


def unfinished(store: Store) -> frozenset[str]:
    """Return the labels of the tournaments whose last match was not played yet, or may not be."""
    every = store.tournaments.all(damaged=True)
    return frozenset(edition.label for edition in every if edition.ended is None)
