"""Files of setups that tournaments begin from: a copy of each in the home, by its hash.

The store has the hash only, and the file that was named may change or go. A bundle without the
setups could not be continued elsewhere.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from arena.machine.untrusted_files import make_private
from arena.process.folders import lies_within
from arena.tournament.change import hash_of_setups
from arena.tournament.text_files import MAX_SETUPS, read_text
from arena.values.errors import TournamentFileError
from arena.values.words import HASH


def keep_setups(home: Path, setups: Sequence[str]) -> None:
    """Keep the setups of a file, if there are any."""
    text = "\n".join(setups)
    digest = hash_of_setups(text)
    path = _path(home, digest)
    if not setups or path is None or kept_setups(home, digest) is not None:
        return
    make_private(path.parent)
    handle, work = tempfile.mkstemp(prefix=".keeping-", dir=path.parent)
    with open(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(work, path)


def kept_setups(home: Path, digest: str | None) -> str | None:
    """Return the setups of a hash, one a line; ``None`` if they are not here, or were changed."""
    path = None if digest is None else _path(home, digest)
    if path is None:
        return None
    try:
        text = read_text(path, MAX_SETUPS)
    except TournamentFileError:
        return None
    return text if hash_of_setups(text) == digest else None


def forget_setups(home: Path, digest: str) -> None:
    """Remove the setups of a hash, if they are here."""
    path = _path(home, digest)
    if path is not None:
        path.unlink(missing_ok=True)


def _path(home: Path, digest: str) -> Path | None:
    """Return where setups are kept; ``None`` if that is no hash, or would lie elsewhere.

    The store may be somebody else's, and so may links be in its home.
    """
    folder = home.absolute() / "openings"
    if not HASH.fullmatch(digest) or not lies_within(folder, home.absolute()):
        return None
    return folder / f"{digest.removeprefix('sha256:')}.txt"
