"""Searches by Monte Carlo tree search, in any game: the Python kit around ``engines.search``.

Options: --level L (1 to 5, default 2), which is 50, 200, 800, 3200 or 12800 simulations for each
decision, as far as they fit into the time; --simulations N of any number, or --seconds S instead;
--exploration C (0.7, but where the game itself says otherwise). As long as it is not short of time,
what it plays follows from its seed.
"""

import argparse
import time

import kit

from engines.search import Search, knowledge_of
from engines.search.values import installed_game

SHARE = 0.45  # of the time for an answer that is used at most
WITHOUT_LIMIT = 1000  # milliseconds
LEVELS = {level: 50 * 4 ** (level - 1) for level in range(1, 6)}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--level", type=int, choices=LEVELS, default=2)
parser.add_argument("--simulations", type=int)
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
    before = vars(match).get("search")  # of our last decision in this match
    search = Search(game, match.observation, match.seat, match.rng, known, before=before)
    match.search = search
    most = options.simulations or LEVELS[options.level]
    if options.seconds is not None:
        most, seconds = 10**9, min(seconds, options.seconds)
    done = search.run(most, begin + seconds)
    if options.seconds is None and done < most and time.monotonic() > begin + seconds:
        kit.log(f"{most} simulations wanted, time for {done}")
    best = search.entries[0]
    kit.send("info", f"score={best.mean:.3f}", f"sims={done}")
    return best.action


kit.NAME, kit.choose = "mcts", choose
kit.main()
