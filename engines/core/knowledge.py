"""What a game knows for bots that look ahead: how good positions are, which actions make sense.

A game that knows something says it as ``KNOWLEDGE`` of a module ``knowledge`` beside its own, or by
``Game.knowledge``. All bots that look ahead use it, and so do hints and explanations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.core.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engines.core.interface import State

__all__ = ["Knowledge", "lead"]


def lead(state: State, player: int) -> float:
    """Return by how many points a player leads the best of the others, or trails."""
    scores = state.scores()
    others = [score for seat, score in enumerate(scores) if seat != player]
    return scores[player] - max(others, default=0.0)


def nothing_special(state: State, player: int) -> None:
    """Leave out none of the legal actions."""


class Knowledge(NamedTuple):
    """What guides a search in a game; of one that says nothing, the scores say a little.

    Attributes:
        worth: by how much a player leads, or is likely to lead in the end; not asked at the end.
            Of two players one leads by what the other trails.
        points: the lead that makes a player 73 % sure to win.
        share: how much ``worth`` counts in a value, from 0 to 1; a random playout is the rest.
        first: how many actions are tried in a position at first, the best-looking ones.
        exploration: how much it counts that an action was seldom tried.
        many: how many legal actions are listed at most; of more, some are drawn at random.
        sensible: the actions that are looked at, ``None`` for all that are legal.
    """

    worth: Callable[[State, int], float] = lead
    points: float = 2.0
    share: float = 0.2
    first: int = 8
    exploration: float = 0.7
    many: int = 300
    sensible: Callable[[State, int], Sequence[str] | None] = nothing_special
