"""Searches with Monte Carlo playouts, in any game: the bot protocol around ``engines.search``.

Options: --simulations N for each decision (300), or --seconds S instead; --exploration C (0.7, but
where ``engines.search.knowledge`` says otherwise).
With a number of simulations it is deterministic from its seed, as long as it is not short of time.
"""

import argparse
import random
import sys
import time

import engines
from engines.search import Search, knowledge_of

SHARE = 0.5  # of the time for an answer that is used at most


def main() -> None:
    """Speak the bot protocol until ``quit``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--exploration", type=float)
    options = parser.parse_args()
    game: engines.Game | None = None
    rng = random.Random()
    seat, observation, actions = 0, "", [""]
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\r\n").partition(" ")
        if verb == "hello":
            print("ready want=obs,legal name=mcts", flush=True)
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
        elif verb == "go" and game is None:  # it cannot search in what it does not know
            action = actions[int(rng.random() * len(actions))]
            print("play", action, rest.split()[0], flush=True)
        elif verb == "go":
            begin = time.monotonic()
            decision, seconds = rest.split()[0], SHARE * limit(rest)
            known = knowledge_of(game)
            if options.exploration is not None:
                known = known._replace(exploration=options.exploration)
            search = Search(game, observation, seat, rng, known)
            most = options.simulations
            if options.seconds is not None:
                most, seconds = 10**9, min(seconds, options.seconds)
            done = search.run(most, begin + seconds)
            best = search.entries[0]
            print(f"info score={best.mean:.3f} sims={done}")
            print("play", best.action, decision, flush=True)
        elif verb == "quit":
            break


def load(name: str) -> engines.Game | None:
    """Return the game, or ``None`` if this machine does not have it."""
    try:
        return engines.load_game(name)
    except engines.EngineError:
        return None


def limit(words: str) -> float:
    """Return the seconds that ``go`` gives for the answer."""
    pairs = dict(word.split("=", 1) for word in words.split() if "=" in word)
    return int(pairs.get("limit", "1000")) / 1000


if __name__ == "__main__":
    main()
