"""Looks two actions ahead in any game: its own, and the best answer to it.

It shows how to think where something is hidden. ``match.observation`` is what we may know;
``game.sample_state(observation, seat, rng)`` draws a whole position that looks like that to us.
One such position is a guess, so an action is tried in several, and its worth is the mean over them.
In a game that hides nothing ``sample_state`` returns the position itself, and one is enough.
"""

import time

import kit

from engines.search.values import installed_game, worth_to

POSITIONS = 3000  # looked at for a decision, at most
GUESSES = 6  # positions drawn where something is hidden
SHARE = 0.4  # of the time for an answer that is used at most
WITHOUT_LIMIT = 1000  # milliseconds


def choose(match, left_ms, limit_ms):
    """Return the action that is worth most after the best answer; any, if the game is unknown."""
    game = installed_game(match.game)
    if game is None:
        return some(match.legal, 1, match.rng)[0]
    end = time.monotonic() + SHARE * (WITHOUT_LIMIT if limit_ms is None else limit_ms) / 1000
    guesses = GUESSES if game.type.information == "imperfect" else 1
    actions = some(match.legal, POSITIONS // (2 * guesses), match.rng)
    answers = max(1, POSITIONS // (guesses * len(actions)))  # looked at after each action
    totals, summed = dict.fromkeys(actions, (0.0, 0.0)), 1
    for guess in range(1, guesses + 1):
        state = game.sample_state(match.observation, match.seat, match.rng)
        found = {}
        for action in actions:
            after = state.apply_action(match.seat, action)
            found[action] = answered(after, match.seat, answers, match.rng)
            if time.monotonic() > end:
                break
        if len(found) == len(actions):
            totals, summed = {a: add(totals[a], found[a]) for a in actions}, guess
        elif guess == 1:  # not even once through: what was looked at has to do
            totals = found
        if time.monotonic() > end:
            break
    best = max(totals.values())
    kit.send("info", f"score={best[1] / summed:g}")
    return some([action for action, worth in totals.items() if worth == best], 1, match.rng)[0]


def answered(state, seat, answers, rng):
    """Return what a position is worth to us after the next player's best answer.

    At a simultaneous node the others act at the same time, unseen: we have to guess what they do.
    """
    while len(players := state.players_to_act()) > 1:
        other = players[players[0] == seat]
        state = state.apply_action(other, state.sample_action(other, rng))
    if not players:
        return worth_to(state, seat)
    player = players[0]
    tried = some(state.legal_actions(player), answers, rng)
    worths = [worth_to(state.apply_action(player, action), seat) for action in tried]
    return max(worths) if player == seat else min(worths)


def add(one, two):
    """Add two worths."""
    return one[0] + two[0], one[1] + two[1]


def some(actions, most, rng):
    """Return all actions, or so many different ones drawn at random."""
    left = list(actions)
    if len(left) <= most:
        return left
    for place in range(most):
        other = place + int(rng.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:most]


if __name__ == "__main__":
    kit.NAME, kit.choose = "careful", choose
    kit.main()
