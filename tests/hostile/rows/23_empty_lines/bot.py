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
        print("\n   \n\n", flush=True)
        time.sleep(3600)
    elif verb == "quit":
        break
