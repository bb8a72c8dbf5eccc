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
        told = " ".join([*sys.argv, *os.environ.values()])
        print(f"info told={'yes' if 'partner' in told or 'seed' in told else 'no'}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
