import os
import sys
import time

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        for _ in range(8):
            if os.fork() == 0:
                kept = b"x" * (48 << 20)
                time.sleep(3600)
        time.sleep(3600)
    elif verb == "quit":
        break
