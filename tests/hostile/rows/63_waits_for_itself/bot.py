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
        for _ in range(7):
            if os.fork() == 0:
                while True:
                    pass
        while True:
            pass
    elif verb == "quit":
        break
