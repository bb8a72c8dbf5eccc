"""A player's decisions in a match, each with all that the player could know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.record.replay import nodes
from arena.values.model import Record
from engines import State


class Asked(NamedTuple):
    """A decision: see ``Explained`` for the names; ``observation`` is what the player saw."""

    position: int
    number: int
    action: str
    observation: str


def asked(record: Record, states: Sequence[State], player: int) -> list[Asked]:
    """Return the decisions of a player that left a choice.

    At a simultaneous node everybody is asked in the position in which the node began: what others
    answered is not known yet.

    Args:
        record: the match.
        states: its positions, from the setup on.
        player: whose decisions.
    """
    found = []
    number, opening = 0, len(record.opening)
    for start, end in nodes(record.actions, states[opening:]):
        begun = states[opening + start]
        for place, (who, action) in enumerate(record.actions[start:end], start=opening + start):
            if who == player and action is not None:
                number += 1
                if begun.count_legal(player) > 1:
                    found.append(Asked(place, number, action, begun.observation(player)))
    return found
