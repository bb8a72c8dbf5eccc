"""A bot that keeps what it reads in the file named first, and plays its first legal action.

Its other argument is ``want=…``, with the lines that it wants.
"""

import random
import sys

import engines

path, want = sys.argv[1:]
legal: list[str] = []
observation, game, seat = "", "", 0


def say(text: str) -> None:
    print(text, flush=True)


def sampled() -> str:
    rng = random.Random(0)
    state = engines.load_game(game).sample_state(observation, seat, rng)
    return state.legal_actions(seat)[0]


with open(path, "w") as file:
    for line in sys.stdin:
        file.write(line)
        file.flush()
        verb, _, rest = line.rstrip("\n").partition(" ")
        if verb == "hello":
            say(f"ready {want}")
        elif verb == "game":
            game = rest.split(" ")[1]
        elif verb == "seat":
            seat = int(rest.split(" ")[0])
        elif verb == "obs":
            observation = rest
        elif verb == "legal":
            legal = rest.split(" ")
        elif verb == "go":
            say(f"play {legal[0] if legal else sampled()} {rest.split(' ')[0]}")
