"""OpenSpiel's own players, in its own games: MCTSBot, or with --uniform the uniform random bot.

Options: --simulations N (200), --exploration C (1.4), --uniform. At a simultaneous node, for which
MCTSBot is not made, it draws an action.
"""

import argparse

import kit
import pyspiel

import engines

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--simulations", type=int, default=200)
parser.add_argument("--exploration", type=float, default=1.4)
parser.add_argument("--uniform", action="store_true")
options = parser.parse_args()


def choose(match, left_ms, limit_ms):
    """Return what OpenSpiel's bot plays in a state that looks like the one of the match."""
    game = engines.load_game(match.game)
    state = game.sample_state(match.observation, match.seat, match.rng)
    words = {number: word for word, number in state.names(match.seat).items()}
    seed = match.rng.getrandbits(31)
    if options.uniform or state.node.is_simultaneous_node():
        bot = pyspiel.make_uniform_random_bot(match.seat, seed)
    else:
        rollout = pyspiel.RandomRolloutEvaluator(1, seed)
        limits = options.exploration, options.simulations, 1000, False, seed, False
        bot = pyspiel.MCTSBot(state.node.get_game(), rollout, *limits)
    return words[bot.step(state.node)]


kit.NAME, kit.choose = "openspiel-mcts", choose
kit.main()
