"""Looks one action ahead in any game: takes the one after which it leads by most."""

import kit

from engines.search.values import installed_game, worth_to

MOST = 400  # actions tried a decision; of more, as many drawn at random


def choose(match, left_ms, limit_ms):
    """Return the best action; any, where the game is not installed."""
    game = installed_game(match.game)
    if game is None:
        return pick(match.legal, match.rng)
    # where something is hidden, this guesses it
    state = game.sample_state(match.observation, match.seat, match.rng)
    best, best_worth = [], (-2.0, 0.0)
    for action in some(match.legal, match.rng):
        worth = worth_to(state.apply_action(match.seat, action), match.seat)
        if worth > best_worth:
            best, best_worth = [action], worth
        elif worth == best_worth:
            best.append(action)
    action = pick(best, match.rng)
    kit.send("info", f"score={best_worth[1]:g}")
    return action


def some(actions, rng):
    """Return all actions, or ``MOST`` different ones of more."""
    left = list(actions)
    if len(left) <= MOST:
        return left
    for place in range(MOST):
        other = place + int(rng.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:MOST]


def pick(actions, rng):
    """Draw one; random() keeps its sequence between versions of Python, choice() may not."""
    return actions[int(rng.random() * len(actions))]


if __name__ == "__main__":
    kit.NAME, kit.choose = "greedy", choose
    kit.main()
