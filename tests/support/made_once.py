"""What takes long to make is made once for the tests of all workers."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

__all__ = ["made_once"]


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Return a folder; whoever needs it first makes it, and the others wait until it is made."""
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            folder.mkdir()
            make(folder)
            (folder / "made").touch()
    return folder
