"""What a position is worth to a player that looks a few actions ahead, in any game."""

from __future__ import annotations

import engines
from engines.search.known import knowledge_of

__all__ = ["installed_game", "worth_to"]


def worth_to(state: engines.State, player: int) -> tuple[float, float]:
    """Return what a position is worth: the returns if it is over, else 0; then what leads there.

    Pairs are compared in this order: a won game is better than any lead.
    """
    value = knowledge_of(state.game).worth(state, player)
    return (state.returns()[player] if state.is_terminal() else 0.0), value


def installed_game(name: str) -> engines.Game | None:
    """Return the game of a text, or ``None`` if this machine does not have it."""
    try:
        return engines.load_game(name)
    except engines.EngineError:
        return None
