"""A home in a folder above, where a person in a sub-folder may have meant that one."""

from __future__ import annotations

import os
from pathlib import Path

from arena.database.sqlite import FILE_NAME


def home_above(home: Path) -> str:
    """Return what to say of a home of the same name above a home that is not there; else nothing.

    What it returns goes at the end of a sentence: ``; there is one in ..: --home ../.arena``.
    """
    place = Path(os.path.abspath(home))
    if not (place / FILE_NAME).exists():
        for folder in place.parent.parents:
            if (folder / place.name / FILE_NAME).is_file():
                found = os.path.relpath(folder)
                return f"; there is a home in {found}: --home {os.path.join(found, place.name)}"
    return ""
