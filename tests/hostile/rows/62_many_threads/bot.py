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
            for _ in range(8):
                if os.fork() == 0:
                    while True:
                        pass
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
