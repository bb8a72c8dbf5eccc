"""The store's file as SQLite opens it: to be written, or in a process that only reads."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from pathlib import Path

from arena.values.errors import StoreError

BUSY_SECONDS = 1.0  # within SQLite, where no signal is heard; see arena.store.waiting

_only_read = False


def only_read() -> None:
    """From now on SQLite lets nothing in this process write to any store.

    ResultsCache are kept in memory then.
    """
    global _only_read
    _only_read = True


def reads_only() -> bool:
    """Return whether this process only reads."""
    return _only_read


def check_plain(path: Path) -> None:
    """Make sure that what SQLite would write is the home's own: a home may come from elsewhere.

    Raises:
        StoreError: one of the files is a link to another one, or no file.
    """
    for end in ("", "-wal", "-shm", "-journal"):
        file = path.with_name(path.name + end)
        with contextlib.suppress(OSError):
            if not stat.S_ISREG(os.lstat(file).st_mode):
                raise StoreError(
                    f"the store {path} cannot be opened: {file.name} is a link, a folder or "
                    "something else, and no file; remove it, or use another --home"
                )


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file.

    Args:
        path: the file.
        mode: ``rwc``: make it if it is not there; ``rw``; or ``ro``, with options behind it.
    """
    if _only_read and not mode.startswith("ro"):
        mode = "ro"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
    )
