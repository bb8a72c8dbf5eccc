"""A bot that keeps what it reads in the file named first; further arguments say how it plays.

``want=…`` are the lines it wants. It plays its first legal action; at decision D of ``sleep=D`` it
sleeps for a while, at that of ``resign=D``, ``illegal=D`` or ``unasked=D`` it does what that says.
"""

import random
import sys
import time

import engines

path, *words = sys.argv[1:]
options = dict(word.split("=") for word in words)
legal: list[str] = []
observation, game, seat = "", "", 0


def say(text: str) -> None:
    print(text, flush=True)


def play(decision: str) -> None:
    acts = [verb for verb, at in options.items() if at == decision]
    if "sleep" in acts:
        time.sleep(0.5)
    if "resign" in acts:
        say("resign")
        return
    action = legal[0] if legal else sampled()
    say(f"play {'nowhere' if 'illegal' in acts else action} {decision}")
    if "unasked" in acts:
        say(f"play {action}")


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
            say(f"ready want={options.get('want', 'legal')}")
        elif verb == "game":
            game = rest.split(" ")[1]
        elif verb == "seat":
            seat = int(rest.split(" ")[0])
        elif verb == "obs":
            observation = rest
        elif verb == "legal":
            legal = rest.split(" ")
        elif verb == "go":
            play(rest.split(" ")[0])
