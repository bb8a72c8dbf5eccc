"""The games that come with the project: others may be installed beside them."""

from __future__ import annotations

import engines
from engines.core.registry import game_class


def own_games() -> list[str]:
    """Return their names, whatever plug-ins there are."""
    return [n for n in engines.game_names() if game_class(n).__module__.startswith("engines.")]
