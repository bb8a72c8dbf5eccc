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
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
        os._exit(5)
    elif verb == "quit":
        break
