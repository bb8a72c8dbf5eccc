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
        for _ in range(100):
            print("x" * 1_000_000, end="", flush=True)
        time.sleep(3600)
    elif verb == "quit":
        break
