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
            try:
                os.setpriority(os.PRIO_PROCESS, 0, -10)
                raised = "yes"
            except OSError:
                raised = "no"
            print(f"info raised={raised}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
