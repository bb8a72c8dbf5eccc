"""Small text files that people name: read whole, or refused with a sentence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from arena.errors import TournamentFileError, near_miss
from arena.tournament.problems import shown

__all__ = ["names_near", "read_text"]

MAX_LISTED = 1000


def read_text(path: Path, max_bytes: int) -> str:
    """Return the text of a UTF-8 file, without a byte order mark.

    Raises:
        TournamentFileError: there is no such file, it is no plain file, cannot be read, is larger
            than ``max_bytes``, or is not UTF-8.
    """
    source = shown(str(path), 600)
    try:
        # a pipe without a writer must not be waited for
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise TournamentFileError(f"{source}: expected a file, found something else")
            data = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise TournamentFileError(f"{source}: there is no such file{names_near(path)}") from None
    except IsADirectoryError:
        raise TournamentFileError(f"{source}: expected a file, found a folder") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TournamentFileError(f"{source}: cannot be read: {reason}") from None
    if len(data) > max_bytes:
        raise TournamentFileError(f"{source}: more than {max_bytes} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TournamentFileError(f"{source}:{line}: not UTF-8 at byte {error.start}") from None


def names_near(path: Path) -> str:
    """Return ``'; did you mean "x"?'`` for a file beside where this one should be, or ``''``."""
    try:
        names = sorted(os.listdir(path.parent))[:MAX_LISTED]
    except (OSError, ValueError):
        return ""
    return near_miss(path.name, names)
