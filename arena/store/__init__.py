"""Records on disk."""

from __future__ import annotations

from arena.store.lock import runner_lock
from arena.store.store import Store, known_bots, open_store
from arena.store.tournaments import Edition

__all__ = ["Edition", "Store", "known_bots", "open_store", "runner_lock"]
