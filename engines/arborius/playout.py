"""Random actions and random games; most candidates are never judged nor written."""

from __future__ import annotations

from engines.arborius.actions import Action
from engines.arborius.basic import count_places, in_place, places
from engines.arborius.cast import COLOURS
from engines.arborius.moves import advance, at_turn_start, candidates, end_conditions, is_legal, nth
from engines.arborius.position import Position
from engines.core.chance import below
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random

TRIES = 64  # places that are drawn before all actions are listed


def random_action(pos: Position, rng: random.Random) -> Action | None:
    """Draw one of the legal actions uniformly; ``None`` if there is none.

    Candidates are drawn until one is legal.
    """
    if at_turn_start(pos):
        tops, ends, tiles = places(pos)
        total = count_places(tops, ends, tiles)
        for _ in range(TRIES if total else 0):
            drawn = in_place(pos, tops, ends, tiles, below(rng, total))
            if drawn is not None and is_legal(pos, drawn):
                return drawn
    found = actions, tiles, spots = candidates(pos)
    plays = len(tiles) * len(spots)
    while total := len(actions) + plays:
        index = below(rng, total)
        action = nth(found, index)
        if index < plays or is_legal(pos, action):
            return action
        actions[index - plays] = actions[-1]
        actions.pop()
    return None


def play_out(pos: Position, rng: random.Random) -> None:
    """Play uniformly random actions to the end, changing the position."""
    while pos.result == "-":
        action = random_action(pos, rng)
        if action is None:
            pos.result = COLOURS[1 - pos.actor]
        elif advance(pos, action) and pos.turn >= pos.limits.turns:
            # before that, whether anything is legal shows when the next action is drawn
            end_conditions(pos)
