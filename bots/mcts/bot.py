"""Searches with Monte Carlo playouts, in any game: the Python kit around ``engines.search``.

Options: --simulations N for each decision (300), or --seconds S instead; --exploration C (0.7, but
where ``engines.search.knowledge`` says otherwise).
With a number of simulations it is deterministic from its seed, as long as it is not short of time.
"""

import argparse
import time

import kit

from engines.search import Search, knowledge_of
from engines.search.values import installed_game

SHARE = 0.5  # of the time for an answer that is used at most
WITHOUT_LIMIT = 1000  # milliseconds

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--simulations", type=int, default=300)
parser.add_argument("--seconds", type=float)
parser.add_argument("--exploration", type=float)
options = parser.parse_args()


def choose(match, left_ms, limit_ms):
    """Return the action that the search likes best; any, where the game is not installed."""
    begin = time.monotonic()
    game = installed_game(match.game)
    if game is None:
        return match.legal[int(match.rng.random() * len(match.legal))]
    seconds = SHARE * (WITHOUT_LIMIT if limit_ms is None else limit_ms) / 1000
    known = knowledge_of(game)
    if options.exploration is not None:
        known = known._replace(exploration=options.exploration)
    search = Search(game, match.observation, match.seat, match.rng, known)
    most = options.simulations
    if options.seconds is not None:
        most, seconds = 10**9, min(seconds, options.seconds)
    done = search.run(most, begin + seconds)
    best = search.entries[0]
    kit.send("info", f"score={best.mean:.3f}", f"sims={done}")
    return best.action


kit.NAME, kit.choose = "mcts", choose
kit.main()
