"""What is known of a single game, by whoever made it."""

from __future__ import annotations

from functools import lru_cache

import engines
from engines.core.knowledge import Knowledge

__all__ = ["PLAIN", "knowledge_of"]

PLAIN = Knowledge(share=0.0)
"""What is known of any game: nothing, so that only random playouts speak."""


@lru_cache(64)
def knowledge_of(game: engines.Game) -> Knowledge:
    """Return what is known of a game; the usual, where its maker says nothing."""
    return game.knowledge() or Knowledge()
