"""Plays a random legal action; the whole bot protocol it needs is in this loop."""

import random
import sys

rng, actions = random.Random(), []
for line in sys.stdin:
    verb, _, rest = line.rstrip("\r\n").partition(" ")
    if verb == "hello":
        print("ready want=legal name=random", flush=True)
    elif verb == "seed":
        rng.seed(int(rest))
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        # random() keeps its sequence between versions of Python, which choice() does not promise
        print("play", actions[int(rng.random() * len(actions))], rest.split()[0], flush=True)
    elif verb == "quit":
        break
