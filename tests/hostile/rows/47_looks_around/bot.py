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
        mine = {os.getpid(), os.getppid(), 1}
        try:
            seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        except OSError:
            seen = []
        print(f"info others={len(set(seen) - mine)}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
