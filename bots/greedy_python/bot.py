"""Looks one action ahead in any game: takes the one after which it leads by most."""

import random
import sys

from values import VALUES, lead

import engines

MOST = 400  # actions tried a decision; of more, as many drawn at random


def main() -> None:
    """Speak the bot protocol until ``quit``."""
    game = None
    rng = random.Random()
    seat, observation, actions = 0, "", [""]
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\r\n").partition(" ")
        if verb == "hello":
            print("ready want=obs,legal name=greedy", flush=True)
        elif verb == "game":
            game = load(rest.split()[1])
        elif verb == "seat":
            seat = int(rest.split()[0])
        elif verb == "seed":
            rng.seed(int(rest))
        elif verb == "obs":
            observation = rest
        elif verb == "legal":
            actions = rest.split()
        elif verb == "go":
            action, lead = choose(game, observation, seat, actions, rng)
            if lead is not None:
                print(f"info score={lead:g}")
            print("play", action, rest.split()[0], flush=True)
        elif verb == "quit":
            break


def load(name: str) -> engines.Game | None:
    """Return the game, or ``None`` if this machine does not have it."""
    try:
        return engines.load_game(name)
    except engines.EngineError:
        return None


def choose(
    game: engines.Game | None,
    observation: str,
    seat: int,
    actions: list[str],
    rng: random.Random,
) -> tuple[str, float | None]:
    """Return the best action and its lead; any action and ``None`` if it cannot look ahead."""
    if game is None:
        return pick(actions, rng), None
    # where something is hidden, this guesses it
    state = game.sample_state(observation, seat, rng)
    best, best_value = [], (-2.0, 0.0)
    for action in some(actions, rng):
        value = worth(state.apply_action(seat, action), seat)
        if value > best_value:
            best, best_value = [action], value
        elif value == best_value:
            best.append(action)
    return pick(best, rng), best_value[1]


def worth(state: engines.State, seat: int) -> tuple[float, float]:
    """Return what a position is worth: first whether it is won, then as its game says."""
    value = VALUES.get(state.game.name, lead)(state, seat)
    return (state.returns()[seat] if state.is_terminal() else 0.0), value


def some(actions: list[str], rng: random.Random) -> list[str]:
    """Return all actions, or ``MOST`` different ones of more."""
    left = list(actions)
    if len(left) <= MOST:
        return left
    for place in range(MOST):
        other = place + int(rng.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:MOST]


def pick(actions: list[str], rng: random.Random) -> str:
    """Draw one; random() keeps its sequence between versions of Python, choice() may not."""
    return actions[int(rng.random() * len(actions))]


if __name__ == "__main__":
    main()
