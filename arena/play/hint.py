"""A hint for a person: what a search of a few seconds would play, from what the person sees."""

from __future__ import annotations

import math
import random
import time
from typing import NamedTuple

from arena.values.words import count
from engines import Game
from engines.search import Search, knowledge_of

SECONDS = 2.0  # that a search takes at most
SIMULATIONS = 100_000  # more than any game has time for
EXACT = {  # by what the best action brings when everybody plays perfectly
    1.0: "{} wins, whatever the others play.",
    0.5: "{} makes sure of a draw; nothing wins against perfect play.",
    0.0: "Everything loses here if the others play perfectly; {} is as good as any.",
}
SURE = 1.96  # standard errors of an interval that holds in 95 of 100 cases


class Hint(NamedTuple):
    """What a search found for one decision.

    Attributes:
        action: what it would play.
        said: a sentence on that, with ``{}`` in the place of the action.
    """

    action: str
    said: str


def hint(game: Game, observation: str, player: int, seconds: float = SECONDS) -> Hint:
    """Search positions that a player cannot tell apart, and return the action that looks best.

    Nothing but the observation is known here, so a hint gives away nothing that is hidden.

    Args:
        game: its game.
        observation: what the player sees, who must owe an action.
        player: who asks.
        seconds: how long it takes at most, about; at least one game is played.

    Raises:
        BadSetup: no position of the game looks like this to the player.
    """
    end = time.monotonic() + seconds
    search = Search(game, observation, player, random.Random(0), knowledge_of(game))
    if search.forced:
        (action,) = search.draw().legal_actions(player)
        return Hint(action, "{} is the only legal action.")
    done = search.run(SIMULATIONS, end)
    if search.root.proven is None:
        return Hint(search.entries[0].action, _estimate(search, done))
    value = search.root.proven[player]
    best = next(entry for entry in search.entries if entry.proven == value)
    return Hint(best.action, EXACT[value])


def _estimate(search: Search, done: int) -> str:
    """Say of the best action what so many games let one expect.

    The interval is of the sampling alone: the search may play on badly.
    """
    best = search.entries[0]
    # what lies between 0 and 1 varies at most as a toss does; two wins and two losses more are in
    # it, since a few games that end alike prove little (Agresti and Coull)
    toss = (best.total + 2) / (best.tried + 4)
    alone = search.game.num_players == 1
    spread = search.span / 2 if alone else math.sqrt(toss * (1 - toss))
    margin = SURE * spread / math.sqrt(best.tried)
    low, high = best.mean - margin, best.mean + margin
    if alone:
        value, between = f"{best.mean:.1f} points", f"{low:.1f} to {high:.1f}"
    else:
        value = f"{100 * best.mean:.0f} % to win"
        between = f"{100 * max(low, 0):.0f} to {100 * min(high, 1):.0f} %"
    games = count(done, "game")
    return f"{{}} looks best: about {value} ({between}, from {games} tried)."
