"""Records, planned rounds, bots and cached results in one SQLite file, and the locks around it."""

from __future__ import annotations

from arena.store.lock import copies_lock, lock_path, runner_lock, runners
from arena.store.store import Store, open_home, open_store
from arena.store.tournaments import Edition

__all__ = [
    "Edition",
    "Store",
    "copies_lock",
    "lock_path",
    "open_home",
    "open_store",
    "runner_lock",
    "runners",
]
