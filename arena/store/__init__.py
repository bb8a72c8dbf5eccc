"""Records on disk."""

from __future__ import annotations

from arena.store.lock import runner_lock
from arena.store.store import Store, open_store

__all__ = ["Store", "open_store", "runner_lock"]
