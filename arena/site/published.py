"""Which matches may have a page that everybody can read."""

from __future__ import annotations

from arena.store import Edition, Store

__all__ = ["not_yet_public"]


def not_yet_public(store: Store, edition: Edition) -> frozenset[str]:
    """Return the ids of the matches whose page would show a deal before its block is over.

    The same deal is still to be played in another seating, and anyone who has seen the page of the
    first match knows what is hidden in the second. Once the tournament is over, there is none.
    """
    return store.half_played(edition.id) if edition.ended is None else frozenset()
