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

        def can_signal(pid):
            try:
                os.kill(pid, 0)
                return "yes"
            except OSError:
                return "no"

        if decision == "1":
            others = [
                pid for pid in range(2, 70_000) if pid != os.getpid() and can_signal(pid) == "yes"
            ]
            print(f"info others={len(others)}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
