import os
import sys
import threading


def burn():
    while True:
        pass


threading.Thread(target=burn, daemon=True).start()

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        os._exit(0)
