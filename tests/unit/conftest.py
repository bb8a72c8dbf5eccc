"""Fixtures that tests of stores and of tables share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import finished

from arena.store import Edition, Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open store in which nothing is yet."""
    with open_store(tmp_path, create=True) as opened:
        yield opened


@pytest.fixture
def edition(store: Store) -> Edition:
    """A tournament of oak, elm and fir in that store."""
    return store.tournaments.create("open", "f", {}, finished.entrants(("oak", "elm", "fir")))
