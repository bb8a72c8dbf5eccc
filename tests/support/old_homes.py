"""Homes as earlier versions of the arena left them, in ``tests/homes``."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

HOMES = Path(__file__).parent.parent / "homes"


def old_home(name: str, folder: Path) -> Path:
    """Make the home of a name in a folder, and return the tournament file that was run there.

    ``first_build``: ash, elm and dead, all of them the submitted bot ash, met once in both seats.
    dead does not start, and was suspended after its first match: 3 of its matches are forfeits
    that nobody played.
    """
    source = HOMES / name
    shutil.copytree(source / "bots", folder / "bots")
    connection = sqlite3.connect(folder / "arena.db")
    connection.executescript((source / "arena.sql").read_text())
    connection.close()
    return source / "old.yaml"
