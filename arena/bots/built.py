"""What a build made, as one hash that is kept beside the bot in a home.

A bot's own hash is over what its author wrote. What a build makes of that may depend on the
compiler, the place and the time: where two builds differ, plays may differ, too, and it is said.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from arena.bots.content import is_hash
from arena.bots.snapshots import kept_folder, note_place
from arena.machine.untrusted_files import read_regular
from arena.process.folders import entries_below
from arena.values.model import Bot

DIFFERENTLY = "was built differently here (compiler or time); its play may differ"


def built_hash(folder: Path) -> str:
    """Return ``sha256:<64 hex>`` over the names, kinds and contents of all that a copy holds."""
    digest = hashlib.sha256()
    found = sorted((os.fsencode(entry.path), entry) for entry, _ in entries_below(str(folder)))
    for path, entry in found:
        mode = entry.stat(follow_symlinks=False).st_mode
        content = hashlib.sha256()
        if stat.S_ISREG(mode):
            with open(path, "rb") as file:
                content = hashlib.file_digest(file, "sha256")
        elif stat.S_ISLNK(mode):
            content.update(os.fsencode(os.readlink(path)))
        name = os.path.relpath(path, os.fsencode(folder))
        digest.update(b"%o %d:%s" % (mode, len(name), name) + content.digest())
    return f"sha256:{digest.hexdigest()}"


def kept_built(home: Path, digest: str) -> str | None:
    """Return what the first build of a program made as far as a home knows, ``None`` if unknown."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        found = read_regular(note_place(home, digest), 100).decode("ascii").strip()
        if is_hash(found):
            return found
    return None


def keep_built(home: Path, digest: str, built: Path | str | None) -> None:
    """Keep what a build made of a program that a home has, unless it knows of an earlier one.

    ``built`` is the copy, or its hash; ``None``: it is not known. A home that cannot be written
    goes without.
    """
    if built and kept_folder(home, digest).is_dir() and kept_built(home, digest) is None:
        with contextlib.suppress(OSError):
            made = built if isinstance(built, str) else built_hash(built)
            note_place(home, digest).write_text(f"{made}\n", encoding="ascii")


def built_differently(bots: Iterable[Bot], home: Path) -> tuple[str, ...]:
    """Return the names of those bots whose first build that a home knows of made something else."""
    found = []
    for bot in bots:
        first = kept_built(home, bot.hash)
        if first is not None and first != built_hash(Path(bot.folder)):
            found.append(bot.name)
    return tuple(dict.fromkeys(found))
