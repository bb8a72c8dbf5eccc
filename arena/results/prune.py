"""Copies of bots that nothing in a home names any more, found and removed."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from arena.bots.snapshots import forget, kept_folder, kept_programs
from arena.process.folders import disk_bytes
from arena.store import copies_lock, open_store
from arena.values.arguments import PathLike, path_of


class PrunedBots(NamedTuple):
    """What was removed, or would be.

    Attributes:
        copies: how many copies of bots.
        bytes: how much of the disk they took.
        hashes: of the bots, ``sha256:<64 hex>``.
    """

    copies: int
    bytes: int
    hashes: tuple[str, ...]


def prune_bots(home: PathLike, *, dry_run: bool = False) -> PrunedBots:
    """Remove the copies of bots that no submitted version and no tournament names.

    >>> arena.prune_bots(".arena", dry_run=True).copies
    0

    It waits for runs and submissions that have their bots ready, until these are entered. If it is
    interrupted, each copy is there as a whole, or gone.

    Args:
        home: the arena's home.
        dry_run: only find them.

    Raises:
        StoreError: the store cannot be read, or the lock of the copies not be written.
    """
    home = path_of(home, "home")
    with contextlib.ExitStack() as opened:
        if not dry_run and kept_programs(home):
            opened.enter_context(copies_lock(home, removing=True))
        # behind the lock, as nothing is seen that is entered later
        store = opened.enter_context(open_store(home, create=False))
        named = store.bots.named()
        gone = {}
        for digest in kept_programs(home):
            if digest not in named:
                size = disk_bytes(kept_folder(home, digest))
                if dry_run or forget(home, digest):
                    gone[digest] = size
        return PrunedBots(len(gone), sum(gone.values()), tuple(gone))
