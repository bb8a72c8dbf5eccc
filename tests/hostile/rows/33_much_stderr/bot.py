import os
import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        if decision == "1":
            os.write(2, b"x" * 1_000_000)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
