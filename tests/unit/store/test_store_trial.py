"""A trial of the store: written and read as ever, and at its end nothing was."""

from __future__ import annotations

import pytest
from support import finished

from arena.store import Edition, Store
from arena.values.errors import StoreError
from arena.values.model import MatchResult


def match_ids(store: Store) -> list[str]:
    return [row.id for row in store.matches.read(None)]


def test_failed_step_leaves_rest_of_trial(store: Store, edition: Edition) -> None:
    """A failed step keeps what the trial wrote before it; a failed trial leaves nothing."""
    first = finished.match(0, ["oak", "elm"], [1, 2])
    fits = finished.match(1, ["oak", "elm"], [1, 2])
    taken = finished.match(2, ["oak", "elm"], [1, 2])

    def tried() -> None:
        with store.trial():
            finished.add(store, edition.id, first)
            with pytest.raises(StoreError, match="holds something else"):
                finished.add(store, edition.id, fits, MatchResult(0, taken.record))
            assert match_ids(store) == [first.record.id]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        tried()
    assert match_ids(store) == []
