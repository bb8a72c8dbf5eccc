"""Records on disk."""

from __future__ import annotations

from arena.store.lock import runner_lock
from arena.store.store import Store, open_store
from arena.store.tournaments import Edition

__all__ = ["Edition", "Store", "open_store", "runner_lock"]
