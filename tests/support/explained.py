"""An explanation made by hand, of a match of five actions in which player 0 has every other."""

from __future__ import annotations

from arena.values.explained import Explained, Explanation


def explanation() -> Explanation:
    """Return one of player 0: a good decision, a costly one, and one of which nothing is sure."""
    return Explanation(
        match="0" * 16,
        player=0,
        unit="score",
        seed=None,
        simulations=900,
        decisions=(
            Explained(0, 1, "N1", value=0.6, action_value=0.6),
            Explained(2, 2, "S1", 0.51, 0.2, "E5-1", 0.51, gain=0.31, low=0.0, high=0.5),
            Explained(4, 3, "W1", 0.5, 0.4, "E1", 0.5, gain=0.1, low=-0.5, high=1.0),
        ),
    )
