"""What lies in the user's cache of bots."""

from __future__ import annotations

import os
from pathlib import Path


def copies_in(cache: Path) -> list[str]:
    """Return the names of all in a cache, also of what is half done, but for its book of uses."""
    return [name for name in os.listdir(cache) if name != ".used"]
